import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { nodeFlags } from './node-flags.ts';

it('the flags of Node are the same in containers as under pnpm start', () => {
  const dockerfile = join(import.meta.dirname, '../../../infra/docker/service.Dockerfile');
  expect(readFileSync(dockerfile, 'utf8')).toContain(`exec node ${nodeFlags.join(' ')} /app/`);
});
