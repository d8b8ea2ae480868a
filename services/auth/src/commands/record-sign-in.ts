import { newId, type OperatorId } from '@commonplace/contracts/core';
import type { SignInMethod, SignInReason } from '@commonplace/contracts/auth';
import { write, type GlobalTx } from '@commonplace/db';
import type { Client, Deps } from '../deps.ts';
import { historyBucket, historyLimit } from '../policy/login-limits.ts';
import { countHistoryEntry } from '../queries/login-attempts.ts';
import { insertSignIn } from '../queries/sign-ins.ts';
import { recordLastSignIn } from '../queries/operators.ts';

export type SignInAttempt = {
  readonly email: string;
  readonly method: SignInMethod;
  readonly client: Client;
};

type RecordDeps = Pick<Deps, 'db' | 'clock'>;

/** Adds a successful sign-in to the history. */
export const recordSignIn = (
  { db, clock }: RecordDeps,
  attempt: SignInAttempt & { readonly operatorId: OperatorId },
): Promise<void> =>
  write(db, 'global', async (tx) => {
    const at = clock();
    await insertSignIn(
      tx,
      rowOf(attempt, { operatorId: attempt.operatorId, at, outcome: 'success', reason: null }),
    );
    await recordLastSignIn(tx, { id: attempt.operatorId, at });
  });

/**
 * Adds a failed sign-in to the history, up to a limit per account, and one limit for all unknown
 * emails together, so that an attack cannot flood the table. Known and unknown accounts run the
 * same statements, and beyond the limit two rows are written as well: a faster refusal would reveal which
 * emails have an account.
 */
export const recordFailedSignIn = async (
  { db, clock }: RecordDeps,
  attempt: SignInAttempt & {
    readonly operatorId: OperatorId | null;
    readonly reason?: SignInReason | null;
  },
): Promise<void> => {
  const at = clock();
  const { operatorId, reason = null } = attempt;
  const count = (tx: GlobalTx) =>
    countHistoryEntry(tx, { bucket: historyBucket(operatorId), now: at, ...historyLimit });
  const row = rowOf(attempt, { operatorId, at, outcome: 'failure' as const, reason });
  // The count commits by itself, because all unknown emails share its row.
  const isCounted = await write(db, 'global', count);
  await write(db, 'global', async (tx) => {
    await (isCounted ? insertSignIn(tx, row) : count(tx));
  });
};

const rowOf = <Rest extends object>({ email, method, client }: SignInAttempt, rest: Rest) => ({
  id: newId(),
  email,
  method,
  address: client.address,
  userAgent: client.userAgent,
  ...rest,
});
