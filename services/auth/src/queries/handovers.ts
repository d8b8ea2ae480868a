import type { OperatorId } from '@commonplace/contracts/core';
import type { GlobalTx } from '@commonplace/db';
import type { AccountTx } from './tx.ts';

export type NewHandover = {
  readonly operatorId: OperatorId;
  /** The administrator whose access it rests on; null means the shell of the server. */
  readonly begunBy: OperatorId | null;
  /** The hex SHA-256 of the token in the link. */
  readonly tokenDigest: string;
  readonly at: Date;
  readonly expiresAt: Date;
};

/** Inserts the handover of an account; it replaces an earlier one. */
export const insertHandover = async (
  tx: AccountTx,
  { operatorId, begunBy, tokenDigest, at, expiresAt }: NewHandover,
): Promise<void> => {
  await tx.query(
    `insert into auth.account_handovers (operator_id, token_digest, begun_at, expires_at, begun_by)
     values ($1, $2, $3, $4, $5)
     on conflict (operator_id) do update
        set token_digest = $2, begun_at = $3, expires_at = $4, begun_by = $5`,
    [operatorId, tokenDigest, at, expiresAt, begunBy],
  );
};

/** Returns whose account the token of a link takes; null means unknown, used or expired. */
export const findHandover = async (
  tx: GlobalTx,
  { tokenDigest, now }: { readonly tokenDigest: string; readonly now: Date },
): Promise<OperatorId | null> => {
  const [row] = await tx.query<{ operator_id: OperatorId }>(
    `select operator_id from auth.account_handovers
      where token_digest = $1 and expires_at > $2`,
    [tokenDigest, now],
  );
  return row?.operator_id ?? null;
};

/** Lists when the handovers of several accounts end, without those that are over. */
export const listHandoverEnds = async (
  tx: GlobalTx,
  { operatorIds, now }: { readonly operatorIds: readonly OperatorId[]; readonly now: Date },
): Promise<ReadonlyMap<OperatorId, Date>> => {
  const rows = await tx.query<{ operator_id: OperatorId; expires_at: Date }>(
    `select operator_id, expires_at from auth.account_handovers
      where operator_id = any ($1::uuid[]) and expires_at > $2`,
    [[...operatorIds], now],
  );
  return new Map(rows.map((row) => [row.operator_id, row.expires_at]));
};

/**
 * Uses up the handover of an account, with the token of its link or (null) for a verified email. Returns false if
 * there is none. Only one caller gets it.
 */
export const takeHandover = async (
  tx: AccountTx,
  handover: {
    readonly operatorId: OperatorId;
    readonly tokenDigest: string | null;
    readonly now: Date;
  },
): Promise<boolean> => {
  const { operatorId, tokenDigest, now } = handover;
  const rows = await tx.query(
    `delete from auth.account_handovers
      where operator_id = $1 and expires_at > $3 and ($2::text is null or token_digest = $2)
      returning 1`,
    [operatorId, tokenDigest, now],
  );
  return rows.length > 0;
};

/** Ends the handover of an account; returns whether there was one. */
export const deleteHandover = async (tx: AccountTx, operatorId: OperatorId): Promise<boolean> => {
  const rows = await tx.query(
    'delete from auth.account_handovers where operator_id = $1 returning 1',
    [operatorId],
  );
  return rows.length > 0;
};

/** Ends the handovers that an administrator began: who had their access may have the links. */
export const deleteHandoversBegunBy = async (tx: AccountTx, begunBy: OperatorId): Promise<void> => {
  await tx.query('delete from auth.account_handovers where begun_by = $1', [begunBy]);
};

/** Deletes expired handovers. */
export const deleteExpiredHandovers = async (tx: GlobalTx, now: Date): Promise<void> => {
  await tx.query('delete from auth.account_handovers where expires_at <= $1', [now]);
};
