import { text } from 'node:stream/consumers';
import { databaseOptions } from '@commonplace/config';
import { isAppError } from '@commonplace/contracts/core';
import { RefusedStartError } from '@commonplace/checks';
import { createDb } from '@commonplace/db';
import { assertKnownPeppers } from './check-configuration.ts';
import { runOperatorCommand, UsageError } from './cli/run-operator-command.ts';
import { readOperatorCliConfig } from './config.ts';
import { createSecretBox } from './factors/secret-box.ts';
import { bcryptCost, createPasswords } from './passwords/passwords.ts';

const readPassword = async (): Promise<string | null> => {
  if (process.stdin.isTTY) {
    return null;
  }
  const given = (await text(process.stdin)).replace(/\r?\n$/, '');
  return given === '' ? null : given;
};

/** Errors whose message is enough for the user. */
const isExplained = (error: unknown): error is Error =>
  error instanceof UsageError || error instanceof RefusedStartError;

const config = readOperatorCliConfig();
const db = createDb({ ...databaseOptions(config), onIdleError: () => undefined });
try {
  // A command that needs the database reports itself that there is none.
  await db.clock.synchronise().catch(() => undefined);
  await runOperatorCommand(
    {
      db,
      clock: db.clock.now,
      passwords: createPasswords({ peppers: config.PASSWORD_PEPPERS, cost: bcryptCost }),
      secretBox: config.SECOND_FACTOR_SECRETS
        ? createSecretBox(config.SECOND_FACTOR_SECRETS)
        : null,
      consoleUrl: config.PUBLIC_URL ?? config.GATEWAY_URL ?? null,
      readPassword,
      assertKnownPeppers: () => assertKnownPeppers(db, config),
      print: (line) => void process.stdout.write(`${line}\n`),
    },
    process.argv.slice(2),
  );
} catch (error) {
  if (!isAppError(error) && !isExplained(error)) {
    throw error;
  }
  process.stderr.write(`${error.message}\n`);
  process.exitCode = error instanceof UsageError ? 2 : 1;
} finally {
  await db.close();
}
