import type { OperatorId, SessionId } from '@commonplace/contracts/core';
import type { GlobalTx } from '@commonplace/db';

export type SessionRow = {
  readonly id: SessionId;
  readonly created_at: Date;
  readonly last_seen_at: Date;
  readonly expire: Date;
  readonly address: string | null;
  readonly user_agent: string | null;
};

export type SessionPage = {
  readonly operatorId: OperatorId;
  readonly now: Date;
  readonly beforeId: string | null;
  readonly limit: number;
};

/** Lists an operator's living sessions, newest first (ids sort by age), from before one on. */
export const listLivingSessions = (
  tx: GlobalTx,
  { operatorId, now, beforeId, limit }: SessionPage,
): Promise<SessionRow[]> =>
  tx.query<SessionRow>(
    `select s.id, s.created_at, s.last_seen_at, s.expire, s.address, s.user_agent
       from auth.sessions s
       join auth.operators o on o.id = s.operator_id and o.session_epoch = s.session_epoch
      where s.operator_id = $1
        and s.expire > $2
        and ($3::uuid is null or s.id < $3)
      order by s.id desc
      limit $4`,
    [operatorId, now, beforeId, limit],
  );
