import { execFileSync } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { repositoryRoot } from './repository-root.ts';

const read = (path: string): string => readFileSync(join(repositoryRoot, path), 'utf8');

const all = (text: string, pattern: RegExp): string[] => [
  ...new Set([...text.matchAll(pattern)].map((match) => match[1] ?? '')),
];

/** Where the environment is read: only here, says the linter. */
const schemas = [
  ...globSync('services/*/src/config.ts', { cwd: repositoryRoot }),
  ...globSync('packages/config/src/*-fields.ts', { cwd: repositoryRoot }),
  'packages/migrations/src/migration-environment.ts',
];

const variables = [...new Set(schemas.flatMap((path) => all(read(path), /^\s+([A-Z][A-Z_]+):/gm)))];
const example = read('.env.example');
const compose = read('docker-compose.yml');
const docs = ['README.md', ...globSync('docs/*.md', { cwd: repositoryRoot })].map(read).join('\n');

/** Right in the image by itself. */
const ofTheImage = new Set(['CONSOLE_DIR']);
const ofContainers = variables.filter((name) => !ofTheImage.has(name));

describe('every variable that a service reads', () => {
  it('is found by this test', () => {
    expect(variables).toEqual(
      expect.arrayContaining(['TRUST_PROXY', 'SESSION_SECRETS', 'DATABASE_URL', 'REVISION_DAYS']),
    );
  });

  it.each(ofContainers)('%s reaches its containers', (name) => {
    const given = compose + read('infra/docker/service.Dockerfile');
    expect(new RegExp(`\\b${name}[:=]`).test(given)).toBe(true);
  });

  it.each(ofContainers)('%s is a setting, or wired by docker-compose.yml', (name) => {
    const isWired = new RegExp(`^\\s+${name}: [^$]`, 'm').test(compose);
    expect(isWired || new RegExp(`^${name}=`, 'm').test(example)).toBe(true);
  });

  it.each(variables)('%s is explained in the documentation', (name) => {
    expect(docs.includes(`\`${name}\``)).toBe(true);
  });
});

describe('.env.example', () => {
  const settings = all(example, /^([A-Z_]+)=/gm);

  it('has every setting of docker-compose.yml, and none that it does not read', () => {
    expect(settings.toSorted()).toEqual(all(compose, /\$\{([A-Z_]+)/g).toSorted());
  });

  it.each(settings)('says what %s is', (name) => {
    const lines = example.split('\n');
    const line = lines.findIndex((text) => text.startsWith(`${name}=`));
    const above = lines.slice(0, line).toReversed();
    const comment = above.find((text) => !/^[A-Z_]+=/.test(text));
    expect(comment).toMatch(/^# \S/);
  });
});

describe('what holds data or secrets', () => {
  it.each(['.env', 'monday.backup', 'monday.backup.0a1b2c3d.part', '.data/secrets.json'])(
    '%s is not committed by mistake',
    (path) => {
      const options = { cwd: repositoryRoot, encoding: 'utf8' } as const;
      expect(execFileSync('git', ['check-ignore', '--no-index', path], options).trim()).toBe(path);
    },
  );
});
