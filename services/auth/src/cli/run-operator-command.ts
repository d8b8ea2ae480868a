import { randomInt } from 'node:crypto';
import { AppError, email as emailSchema } from '@commonplace/contracts/core';
import { read } from '@commonplace/db';
import { resetPassword as setPassword } from '../commands/change-password.ts';
import { createOperator } from '../commands/create-operator.ts';
import type { EvictedAccess } from '../commands/evict-access.ts';
import { beginHandoverFromShell } from '../commands/begin-handover.ts';
import { resetSecondFactor } from '../commands/reset-second-factor.ts';
import { updateOperatorFromShell } from '../commands/update-operator.ts';
import type { Deps } from '../deps.ts';
import { handoverUrl } from '../present/handovers.ts';
import { findOperatorByEmail, type OperatorRow } from '../queries/operators.ts';
import { countOutdatedTotp } from '../queries/factors.ts';
import { listOutdatedPepperEmails } from '../queries/passwords.ts';

export type CliDeps = Pick<Deps, 'db' | 'clock' | 'passwords' | 'secretBox'> & {
  /** The origin of the console; null means not configured here. */
  readonly consoleUrl: string | null;
  /** Reads the password from standard input; null means generate one. */
  readonly readPassword: () => Promise<string | null>;
  /** Throws if the service lacks the peppers that this command uses. */
  readonly assertKnownPeppers: () => Promise<void>;
  readonly print: (line: string) => void;
};

/** The usage text. */
const usage =
  'Usage: pnpm operator create|disable|enable|make-admin|handover <email>\n' +
  '       pnpm operator reset-password|reset-second-factor <email>\n' +
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
 * old pepper, and how many authenticator apps on an old secret.
 */
export const runOperatorCommand = async (
  deps: CliDeps,
  [name, address, ...more]: readonly string[],
): Promise<void> => {
  if (name === 'peppers' && address === undefined) {
    deps.print(await reportPeppers(deps));
    deps.print(await reportFactors(deps));
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
  return operator.isAdmin
    ? `Created ${email}, the first operator and an administrator.`
    : `Created ${email}.`;
};

const resetPassword: Verb = async (deps, email) => {
  await deps.assertKnownPeppers();
  const operator = await find(deps, email);
  const { password, print } = await passwordFor(deps);
  const evicted = await setPassword(deps, operator, password);
  print();
  return `Changed the password of ${email}. ${describeEvicted(evicted)}`;
};

const resetFactor: Verb = async (deps, email) => {
  const operator = await find(deps, email);
  const evicted = await resetSecondFactor(deps, operator);
  const next = operator.hasPassword
    ? 'The password stays.'
    : 'The account has no password; use handover or reset-password to give it a way to sign in.';
  return `${describeEvicted(evicted)} ${next}`;
};

const startHandover: Verb = async (deps, email) => {
  await deps.assertKnownPeppers();
  const operator = await find(deps, email);
  const { token, expiresAt, evicted } = await beginHandoverFromShell(deps, operator.id);
  const password = evicted.password ? ' Its password is void.' : '';
  return [
    `${describeEvicted({ ...evicted, hadHandover: false })}${password}`,
    `Give this link to the person whose email is ${email}, and to nobody else. It works once, until ${expiresAt.toISOString()}:`,
    handoverUrl(deps.consoleUrl ?? '<address of the console>', token),
    'With single sign-on, the next sign-in with this verified email takes the account as well.',
  ].join('\n');
};

/** Says what was removed from an account. */
const describeEvicted = (evicted: EvictedAccess): string => {
  const { sessions, passkeys, identities, authenticatorApp, hadHandover } = evicted;
  const parts = [
    `sessions: ${sessions}`,
    `passkeys: ${passkeys}`,
    `linked identities: ${identities}`,
    `authenticator app: ${authenticatorApp ? 'yes' : 'none'}`,
    ...(hadHandover ? ['handover that had begun: yes'] : []),
  ];
  return `Removed ${parts.join(', ')}.`;
};

/** A password is hashed again when its operator signs in; until then it needs the old pepper. */
const reportPeppers = async ({ db, passwords, assertKnownPeppers }: CliDeps): Promise<string> => {
  await assertKnownPeppers();
  const emails = await read(db, 'global', (tx) =>
    listOutdatedPepperEmails(tx, passwords.currentPepperId),
  );
  return emails.length === 0
    ? 'Every password is hashed with the first pepper; the others can be removed.'
    : `Hashed with an old pepper until they sign in: ${emails.join(', ')}`;
};

const reportFactors = async ({ db, secretBox }: CliDeps): Promise<string> => {
  if (!secretBox) {
    return 'SECOND_FACTOR_SECRETS has no value here: authenticator apps were not counted.';
  }
  const count = await read(db, 'global', (tx) => countOutdatedTotp(tx, secretBox.currentKeyId));
  return count === 0
    ? 'Every authenticator app is encrypted with the first of SECOND_FACTOR_SECRETS; the others can be removed.'
    : `Authenticator apps encrypted with another one of SECOND_FACTOR_SECRETS than the first: ${count}`;
};

const verbs: Readonly<Record<string, Verb>> = {
  create,
  'reset-password': resetPassword,
  'reset-second-factor': resetFactor,
  handover: startHandover,
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
  const operator = await read(db, 'global', (tx) => findOperatorByEmail(tx, email));
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
