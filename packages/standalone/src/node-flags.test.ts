import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { mallocEnvironment } from '@commonplace/embedded-postgres';
import { nodeFlags } from './node-flags.ts';

it('the flags of Node are the same in containers as under pnpm start', () => {
  const dockerfile = join(import.meta.dirname, '../../../infra/docker/service.Dockerfile');
  expect(readFileSync(dockerfile, 'utf8')).toContain(`exec node ${nodeFlags.join(' ')} /app/`);
});

it('the settings of the allocator are the same in containers as under pnpm start', () => {
  const root = join(import.meta.dirname, '../../..');
  const dockerfile = readFileSync(join(root, 'infra/docker/service.Dockerfile'), 'utf8');
  const compose = readFileSync(join(root, 'docker-compose.yml'), 'utf8');
  for (const [name, value] of Object.entries(mallocEnvironment)) {
    expect(dockerfile).toContain(`${name}=${value}`);
    expect(compose).toContain(`${name}: '${value}'`);
  }
});
