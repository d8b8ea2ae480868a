import { randomBytes } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { repositoryRoot } from './repository-root.ts';

/** Names whose empty value in .env.example stands for a fresh secret. */
const isSecret = (name: string): boolean =>
  /_(?:SECRETS|PEPPERS|PASSWORD)$/.test(name) && !name.startsWith('BOOTSTRAP_');

/** 256 random bits, in characters that need no escaping in a URL or a shell. */
const makeSecret = (): string => randomBytes(32).toString('hex');

/** The text of a complete .env: the example, with a fresh value for every secret. */
const fillIn = (example: string): string =>
  example.replaceAll(/^([A-Z_]+)=$/gm, (line, name: string) =>
    isSecret(name) ? `${name}=${makeSecret()}` : line,
  );

/**
 * `pnpm secrets [file]`: writes .env, or another file, once; an existing one is never touched, because its
 * secrets could not be had back.
 */
const target = process.argv[2] ?? join(repositoryRoot, '.env');
try {
  writeFileSync(target, fillIn(readFileSync(join(repositoryRoot, '.env.example'), 'utf8')), {
    flag: 'wx',
    mode: 0o600,
  });
  process.stdout.write(
    `Wrote ${target} with fresh secrets. Set PUBLIC_URL and the first operator in it, then: docker-compose up -d\n`,
  );
} catch (error) {
  const isThere = error instanceof Error && 'code' in error && error.code === 'EEXIST';
  process.stderr.write(isThere ? `${target} exists and is left as it is.\n` : `${String(error)}\n`);
  process.exitCode = 1;
}
