import { randomInt } from 'node:crypto';
import { AppError, email as emailSchema } from '@commonplace/contracts/core';
import { runGlobal } from '@commonplace/db';
import { resetPassword as setPassword } from '../commands/change-password.ts';
import { createOperator } from '../commands/create-operator.ts';
import { resetSecondFactor } from '../commands/reset-second-factor.ts';
import { updateOperatorFromShell } from '../commands/update-operator.ts';
import type { Deps } from '../deps.ts';
import { findOperatorByEmail, type OperatorRow } from '../queries/operators.ts';
import { listOutdatedPepperEmails } from '../queries/passwords.ts';

export type CliDeps = Pick<Deps, 'db' | 'clock' | 'passwords'> & {
  /** Reads the password from standard input; null: generate one. */
  readonly readPassword: () => Promise<string | null>;
  /** Throws if the service lacks the peppers that this command uses. */
  readonly assertKnownPeppers: () => Promise<void>;
  readonly print: (line: string) => void;
};

/** The usage text. */
const usage =
  'Usage: pnpm operator create|disable|enable|reset-password|reset-second-factor|make-admin <email>\n' +
  '       pnpm operator peppers\n' +
  'create and reset-password read the password from standard input; without one they generate one.';

/** The arguments are not a valid command. */
export class UsageError extends Error {
  constructor() {
    super(usage);
    this.name = 'UsageError';
  }
}

/** A command on one operator; returns the line to print. */
type Verb = (deps: CliDeps, email: string) => Promise<string>;

/**
 * Runs a command from the server's shell: changes one operator, or reports who still depends on an
 * old pepper.
 */
export const runOperatorCommand = async (
  deps: CliDeps,
  [name, address, ...more]: readonly string[],
): Promise<void> => {
  if (name === 'peppers' && address === undefined) {
    deps.print(await reportPeppers(deps));
    return;
  }
  const verb = name === undefined || !Object.hasOwn(verbs, name) ? undefined : verbs[name];
  const email = emailSchema.safeParse(address);
  if (!verb || !email.success || more.length > 0) {
    throw new UsageError();
  }
  deps.print(await verb(deps, email.data));
};

const create: Verb = async (deps, email) => {
  await deps.assertKnownPeppers();
  const { password, print } = await passwordFor(deps);
  const account = { email, name: email.split('@')[0] ?? email, password };
  const operator = await createOperator(deps, account, { kind: 'any' });
  print();
  return operator.is_admin
    ? `Created ${email}, the first operator and an administrator.`
    : `Created ${email}.`;
};

const resetPassword: Verb = async (deps, email) => {
  await deps.assertKnownPeppers();
  const operator = await find(deps, email);
  const { password, print } = await passwordFor(deps);
  await setPassword(deps, operator, password);
  print();
  return `Changed the password of ${email}; its sessions have ended.`;
};

/** A password is hashed again when its operator signs in; until then it needs the old pepper. */
const reportPeppers = async ({ db, passwords, assertKnownPeppers }: CliDeps): Promise<string> => {
  await assertKnownPeppers();
  const emails = await runGlobal(db, (tx) =>
    listOutdatedPepperEmails(tx, passwords.currentPepperId),
  );
  return emails.length === 0
    ? 'Every password is hashed with the first pepper; the others can be removed.'
    : `Hashed with an old pepper until they sign in: ${emails.join(', ')}`;
};

const verbs: Readonly<Record<string, Verb>> = {
  create,
  'reset-password': resetPassword,
  'reset-second-factor': async (deps, email) => {
    await resetSecondFactor(deps, (await find(deps, email)).id);
    return `Removed the authenticator app and passkeys of ${email}; its sessions have ended.`;
  },
  disable: async (deps, email) => {
    await updateOperatorFromShell(deps, { id: (await find(deps, email)).id, disabled: true });
    return `Disabled ${email}; its sessions have ended.`;
  },
  enable: async (deps, email) => {
    await updateOperatorFromShell(deps, { id: (await find(deps, email)).id, disabled: false });
    return `Enabled ${email}.`;
  },
  'make-admin': async (deps, email) => {
    await updateOperatorFromShell(deps, { id: (await find(deps, email)).id, isAdmin: true });
    return `${email} is an administrator.`;
  },
};

const find = async ({ db }: CliDeps, email: string): Promise<OperatorRow> => {
  const operator = await runGlobal(db, (tx) => findOperatorByEmail(tx, email));
  if (!operator) {
    throw new AppError('not_found', `There is no operator ${email}.`);
  }
  return operator;
};

type ChosenPassword = {
  readonly password: string;
  /** Prints a generated password. Call it after the account has the password. */
  readonly print: () => void;
};

const passwordFor = async ({ readPassword, print }: CliDeps): Promise<ChosenPassword> => {
  const given = await readPassword();
  if (given !== null) {
    return { password: given, print: () => undefined };
  }
  const generated = generatePassword();
  return { password: generated, print: () => print(`Password, shown only now: ${generated}`) };
};

/** Letters and digits that are not confused with one another. */
const readable = 'abcdefghijkmnpqrstuvwxyz23456789';

/** Five groups of five characters: 125 random bits, readable over the telephone. */
const generatePassword = (): string =>
  Array.from({ length: 5 }, () =>
    Array.from({ length: 5 }, () => readable[randomInt(readable.length)]).join(''),
  ).join('-');
