import type { OperatorId, SessionId } from '@commonplace/contracts/core';
import type { GlobalTx } from '@commonplace/db';

export type NewSessionRow = {
  /** Hex SHA-256 of the id in the cookie. */
  readonly digest: string;
  readonly data: object;
  readonly id: SessionId;
  readonly operatorId: OperatorId;
  readonly epoch: number;
  readonly at: Date;
  readonly idleEndsAt: Date;
  readonly endsAt: Date;
  readonly address: string | null;
  readonly userAgent: string | null;
};

/** Stores a session that has just begun. Nothing else ever inserts one. */
export const insertSession = async (tx: GlobalTx, session: NewSessionRow): Promise<void> => {
  await tx.query(
    `insert into auth.sessions (sid, sess, expire, id, operator_id, session_epoch,
                                created_at, last_seen_at, ends_at, address, user_agent)
     values ($1, $2, $3, $4, $5, $6, $7, $7, $8, $9, $10)`,
    [
      session.digest,
      JSON.stringify(session.data),
      session.idleEndsAt,
      session.id,
      session.operatorId,
      session.epoch,
      session.at,
      session.endsAt,
      session.address,
      session.userAgent,
    ],
  );
};
