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
  ...globSync('packages/config/src/settings/*-settings.ts', { cwd: repositoryRoot }),
  'packages/config/src/database-fields.ts',
  'packages/standalone/src/environment.ts',
  'packages/migrations/src/migration-environment.ts',
];

const variables = [...new Set(schemas.flatMap((path) => all(read(path), /^\s+([A-Z][A-Z_]+):/gm)))];
const example = read('.env.example');
const compose = read('docker-compose.yml');
const configurationPage = read('docs/configuration.md');

/** Not set in containers: the image has its console, and only `pnpm start` has a data directory. */
const notInContainers = new Set(['CONSOLE_DIR', 'DATA_DIR']);
const ofContainers = variables.filter((name) => !notInContainers.has(name));

describe('every variable that a service reads', () => {
  it('is found by this test', () => {
    expect(variables).toEqual(
      expect.arrayContaining(['TRUST_PROXY', 'SESSION_SECRETS', 'DATABASE_URL', 'REVISION_DAYS']),
    );
  });

  it.each(ofContainers)('%s reaches its containers', (name) => {
    const given = compose + read('infra/docker/service.Dockerfile');
    expect(new RegExp(`\\b${name}(?:_FILE)?[:=]`).test(given)).toBe(true);
  });

  it.each(ofContainers)('%s is a setting, or wired by docker-compose.yml', (name) => {
    const isWired = new RegExp(`^\\s+(?:${name}: [^$]|${name}_FILE: \\$\\{(?!${name}))`, 'm').test(
      compose,
    );
    expect(isWired || new RegExp(`^${name}=`, 'm').test(example)).toBe(true);
  });
});

describe('docker-compose.pgbouncer.yml', () => {
  it('says to the doctor, too, that the services connect through PgBouncer', () => {
    expect(read('infra/scale/docker-compose.pgbouncer.yml')).toMatch(
      /^ {2}doctor:\n {4}environment:\n(?: +#.*\n)* +<<: \*through-pgbouncer$/m,
    );
  });
});

describe('docker-compose.yml', () => {
  const doctor = compose.slice(compose.indexOf('\n  doctor:\n'));
  const checks = globSync('packages/admin/src/doctor/check-*.ts', { cwd: repositoryRoot });
  const looksAt = [...new Set(checks.flatMap((path) => all(read(path), /\benv\['([A-Z_]+)'\]/g)))];

  it.each(looksAt)('gives the doctor %s, with the value of the containers that read it', (name) => {
    const lines = (text: string) => all(text, new RegExp(`^      (${name}: \\$.*)$`, 'gm'));
    expect(doctor).toMatch(new RegExp(`^      ${name}: `, 'm'));
    expect(lines(doctor)).toEqual(lines(compose));
  });

  /** The networks of a container, and whether each has a route to the outside. */
  const networksOf = (container: string): string[] => {
    const [, block = ''] =
      new RegExp(`^  ${container}:\\n((?:    .*\\n|\\n)+)`, 'm').exec(compose) ?? [];
    return (/^    networks: \[(.*)\]$/m.exec(block)?.[1] ?? '').split(', ');
  };
  const hasWayOut = (network: string): boolean =>
    !new RegExp(`^  ${network}: \\{ internal: true \\}$`, 'm').test(compose);

  it.each([
    ['postgres', false],
    ['migrate', false],
    ['auth', true],
    ['agents', false],
    ['notes', false],
  ])('%s reaches the outside: %s', (container, expected) => {
    const networks = networksOf(container);
    expect(networks).toContain('internal');
    expect(networks.some(hasWayOut)).toBe(expected);
  });
});

/** Everything that `pnpm secrets` makes, or that lets somebody in or out. */
const secretNames = all(
  example,
  /^([A-Z_]+_(?:SECRETS|PEPPERS|PASSWORD)|OIDC_CLIENT_SECRET|EMBEDDINGS_API_KEY|OTEL_EXPORTER_OTLP_HEADERS)=/gm,
);

describe('a secret in .env', () => {
  it('is found by this test', () => {
    expect(secretNames.length).toBeGreaterThan(10);
  });

  it.each(secretNames)('%s may be in a file, which every container that reads it has', (name) => {
    expect(example).toMatch(new RegExp(`^${name}_FILE=$`, 'm'));
    const [common = '', containers = ''] = compose.split('\nservices:\n');
    const file = `\${${name}_FILE:-}`;
    const reading = containers
      .split(/^ {2}(?=\w+:$)/m)
      .filter((text) => text.includes(file) || (common.includes(file) && text.includes('*common')));
    expect(reading.length).toBeGreaterThan(0);
    for (const text of reading) {
      expect(text).toMatch(new RegExp(`[-[] ?\\*${name}\\b`));
    }
  });
});

describe('docs/configuration.md', () => {
  const rows = configurationPage.split('\n').filter((line) => line.startsWith('| `'));
  const listed = rows.flatMap((row) =>
    [...(row.split(' | ')[0] ?? '').matchAll(/`([A-Z_]+)`/g)].map((match) => match[1] ?? ''),
  );

  it('lists each variable of the schemas once, and no other', () => {
    expect(listed.toSorted()).toEqual(variables.toSorted());
  });

  it('is the only page with a table of the settings', () => {
    const pages = ['README.md', ...globSync('docs/*.md', { cwd: repositoryRoot })];
    const tables = pages.filter((page) => /^\| [^|]*`PORT`/m.test(read(page)));
    expect(tables).toEqual(['docs/configuration.md']);
  });
});

describe('CHANGELOG.md', () => {
  it('has the version of package.json as its newest release', () => {
    const [newest] = all(read('CHANGELOG.md'), /^## (\d+\.\d+\.\d+)/gm);
    const { version } = JSON.parse(read('package.json')) as { readonly version: string };
    expect(newest).toBe(version);
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
  it.each([
    '.env',
    '.env.before',
    'monday.backup',
    'monday.backup.0a1b2c3d.part',
    '.data/secrets.json',
  ])('%s is not committed by mistake', (path) => {
    const options = { cwd: repositoryRoot, encoding: 'utf8' } as const;
    expect(execFileSync('git', ['check-ignore', '--no-index', path], options).trim()).toBe(path);
  });
});
