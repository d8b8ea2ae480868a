import { randomBytes } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { print, type Command } from '../command.ts';

const repositoryRoot = join(import.meta.dirname, '../../../..');

/** Writes `.env`, or another file. An existing file is never changed: its secrets would be lost. */
export const secrets: Command = {
  options: {},
  argsMax: 1,
  run: async ({ args: [target = join(repositoryRoot, '.env')] }) => {
    const example = readFileSync(join(repositoryRoot, '.env.example'), 'utf8');
    try {
      writeFileSync(target, fillIn(example), { flag: 'wx', mode: 0o600 });
    } catch (error) {
      throw (error as NodeJS.ErrnoException).code === 'EEXIST'
        ? new Error(`${target} exists and is left as it is.`, { cause: error })
        : error;
    }
    print(
      `Wrote ${target} with new secrets. Set PUBLIC_URL and the first operator in it, then: docker-compose up -d`,
    );
  },
};

/** Gives every secret that is empty in the example a value. */
const fillIn = (example: string): string =>
  example.replaceAll(/^([A-Z_]+)=$/gm, (line, name: string) =>
    isSecret(name) ? `${name}=${makeSecret()}` : line,
  );

const isSecret = (name: string): boolean =>
  /_(?:SECRETS|PEPPERS|PASSWORD)$/.test(name) && !name.startsWith('BOOTSTRAP_');

/** 256 random bits, in characters that need no escaping in a URL or a shell. */
const makeSecret = (): string => randomBytes(32).toString('hex');
