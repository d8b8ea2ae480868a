import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { parseEnv } from 'node:util';
import { print, type Command } from '../command.ts';

const repositoryRoot = join(import.meta.dirname, '../../../..');

/**
 * Writes `.env`, or another file. An existing file keeps every line that it has, because its secrets would be lost; it gets
 * those that a newer release needs.
 */
export const secrets: Command = {
  options: {},
  argsMax: 1,
  run: async ({ args: [target = join(repositoryRoot, '.env')] }) => {
    const example = readFileSync(join(repositoryRoot, '.env.example'), 'utf8');
    const existing = textOf(target);
    if (existing === null) {
      writeFileSync(target, fillIn(example), { flag: 'wx', mode: 0o600 });
      print(
        `Wrote ${target} with new secrets. Set PUBLIC_URL and the first operator in it, then: docker-compose up -d`,
      );
      return;
    }
    const missing = missingLines(fillIn(example), existing);
    if (missing.length > 0) {
      const separator = existing === '' || existing.endsWith('\n') ? '' : '\n';
      appendFileSync(target, `${separator}${missing.join('\n')}\n`);
    }
    const names = missing.map((line) => line.split('=')[0]);
    print(
      names.length === 0
        ? `${target} exists, has everything that this release needs, and is left as it is.`
        : `Added to ${target}: ${names.join(', ')}. Everything else in it is left as it is.`,
    );
  },
};

const textOf = (path: string): string | null => {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') {
      return null;
    }
    throw error;
  }
};

/**
 * What a release may need that an older file does not have: lists of secrets that are set neither by value nor by file. Other
 * settings have defaults, and an existing database has its passwords already.
 */
const missingLines = (filledIn: string, existing: string): string[] => {
  const given = parseEnv(existing);
  return filledIn.split('\n').filter((line) => {
    const name = /^(\w+_(?:SECRETS|PEPPERS)|IMAGE_TAG)=/.exec(line)?.[1];
    return name !== undefined && !(name in given) && !given[`${name}_FILE`];
  });
};

/** Gives every secret that is empty in the example a value, and the images the names of this deployment and release. */
const fillIn = (example: string): string =>
  example
    .replaceAll(/^([A-Z_]+)=$/gm, (line, name: string) =>
      isSecret(name) ? `${name}=${makeSecret()}` : line,
    )
    .replace(/^IMAGE_PREFIX=.*$/m, `IMAGE_PREFIX=${deploymentName()}`)
    .replace(/^IMAGE_TAG=.*$/m, `IMAGE_TAG=${releaseTag()}`);

const isSecret = (name: string): boolean =>
  /_(?:SECRETS|PEPPERS|PASSWORD)$/.test(name) && !name.startsWith('BOOTSTRAP_');

/** 256 random bits, in characters that need no escaping in a URL or a shell. */
const makeSecret = (): string => randomBytes(32).toString('hex');

/** As docker-compose names a project: by its folder. */
const deploymentName = (): string =>
  basename(repositoryRoot)
    .toLowerCase()
    .replaceAll(/[^a-z0-9_-]/g, '')
    .replace(/^[^a-z0-9]+/, '')
    .replace(/[^a-z0-9]+$/, '') || 'commonplace';

/** The commit that is checked out; without Git the version. */
const releaseTag = (): string => {
  try {
    const args = ['-C', repositoryRoot, 'describe', '--always', '--tags'];
    return execFileSync('git', args, {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    }).trim();
  } catch {
    const manifest = readFileSync(join(repositoryRoot, 'package.json'), 'utf8');
    return (JSON.parse(manifest) as { readonly version: string }).version;
  }
};
