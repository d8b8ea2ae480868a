import { randomBytes } from 'node:crypto';
import type { Evicted } from '@commonplace/contracts/auth';
import { AppError, type OperatorId } from '@commonplace/contracts/core';
import { write } from '@commonplace/db';
import type { Deps } from '../deps.ts';
import { newOneTimeToken, oneTimeTokenDigest } from '../policy/one-time-token.ts';
import { insertHandover } from '../queries/handovers.ts';
import { lockOperator, updateEmailVerified, type OperatorRow } from '../queries/operators.ts';
import { clearPassword } from '../queries/passwords.ts';
import type { AccountTx } from '../queries/tx.ts';
import { asOperator, trustAccountChange, type ActingOperator } from './as-operator.ts';
import { evictAccess } from './evict-access.ts';
import { callerActor, recordActivity, shellActor, type ActivityActor } from './record-activity.ts';
import { assertRecentSignIn } from './require-recent-sign-in.ts';

/** How long the link of a handover works. */
const handoverDays = 7;

type HandoverDeps = Pick<Deps, 'db' | 'clock' | 'passwords'>;

export type Handover = {
  readonly token: string;
  readonly expiresAt: Date;
  readonly evicted: Evicted;
};

/**
 * Takes an account from who has it and prepares it for its person, on behalf of an administrator. 409
 * `own_account`.
 */
export const beginHandover = async (
  deps: HandoverDeps,
  acting: Omit<ActingOperator, 'as'>,
  operatorId: OperatorId,
): Promise<Handover> => {
  if (operatorId === acting.caller.operatorId) {
    throw new AppError('own_account', 'Change your password and factors in your account.');
  }
  const unknown = await unknownPassword(deps);
  return asOperator(deps, { ...acting, as: 'administrator' }, async (tx) => {
    await assertRecentSignIn(tx, acting.caller, deps.clock());
    const actor = callerActor(acting.caller);
    const begunBy = acting.caller.operatorId;
    return applyHandover(tx, { operatorId, actor, begunBy, at: deps.clock(), unknown });
  });
};

/** The same from the server's shell. */
export const beginHandoverFromShell = async (
  deps: HandoverDeps,
  operatorId: OperatorId,
): Promise<Handover> => {
  const unknown = await unknownPassword(deps);
  return write(deps.db, 'global', (scope) => {
    const tx = trustAccountChange(scope, 'the caller has access to the shell of the server');
    const at = deps.clock();
    return applyHandover(tx, { operatorId, actor: shellActor, begunBy: null, at, unknown });
  });
};

type Hash = { readonly hash: string; readonly pepperId: string };

/** The hash of a password that nobody knows. */
const unknownPassword = ({ passwords }: Pick<Deps, 'passwords'>): Promise<Hash> =>
  passwords.hash(randomBytes(32).toString('base64url'));

type Change = {
  readonly operatorId: OperatorId;
  readonly actor: ActivityActor;
  readonly begunBy: OperatorId | null;
  readonly at: Date;
  readonly unknown: Hash;
};

const applyHandover = async (
  tx: AccountTx,
  { operatorId, actor, begunBy, at, unknown }: Change,
): Promise<Handover> => {
  const operator = await lockOperator(tx, operatorId);
  if (!operator) {
    throw new AppError('not_found');
  }
  const { hadHandover: _replaced, ...access } = await evictAccess(tx, operatorId);
  const evicted = { ...access, password: operator.hasPassword };
  await clearPassword(tx, {
    id: operatorId,
    passwordHash: unknown.hash,
    pepperId: unknown.pepperId,
  });
  await updateEmailVerified(tx, { id: operatorId, at: null });
  const token = newOneTimeToken();
  const expiresAt = new Date(at.getTime() + handoverDays * 86_400_000);
  await insertHandover(tx, {
    operatorId,
    begunBy,
    tokenDigest: oneTimeTokenDigest(token),
    at,
    expiresAt,
  });
  const { id, email }: OperatorRow = operator;
  await recordActivity(tx, {
    actor,
    action: 'handover.begun',
    operator: { id, email },
    at,
    detail: evicted,
  });
  return { token, expiresAt, evicted };
};
