import type { OperatorId, SessionId } from '@commonplace/contracts/core';
import type { GlobalTx } from '@commonplace/db';

export type LivingSessionRow = {
  readonly id: SessionId;
  readonly sess: object;
  readonly operator_id: OperatorId;
  readonly email: string;
  readonly name: string;
  readonly is_admin: boolean;
  readonly expire: Date;
};

export type SessionQuestion = {
  readonly digest: string;
  readonly now: Date;
  /** Keeps it alive: when it was last seen before this, it is seen now. Null: only looks. */
  readonly touch: { readonly ifSeenBefore: Date; readonly idleEndsAt: Date } | null;
};

/**
 * Finds a session that is alive in every respect (idle and absolute limit, epoch, operator not
 * disabled) and keeps it so, in one statement: it runs for every request of a signed-in operator
 * that the gateway cannot answer from its memory.
 */
export const findLivingSession = async (
  tx: GlobalTx,
  { digest, now, touch }: SessionQuestion,
): Promise<LivingSessionRow | null> => {
  const [row] = await tx.query<LivingSessionRow>(
    `with living as (
       select s.sid, s.id, s.sess, s.operator_id, s.expire, s.last_seen_at,
              o.email, o.name, o.is_admin
         from auth.sessions s
         join auth.operators o on o.id = s.operator_id
        where s.sid = $1
          and s.expire > $2
          and s.ends_at > $2
          and s.session_epoch = o.session_epoch
          and o.disabled_at is null
     ), touched as (
       update auth.sessions s
          set last_seen_at = $2, expire = least(s.ends_at, $4::timestamptz)
         from living
        where s.sid = living.sid and living.last_seen_at <= $3::timestamptz
       returning s.sid, s.expire
     )
     select living.id, living.sess, living.operator_id, living.email, living.name, living.is_admin,
            coalesce(touched.expire, living.expire) as expire
       from living
       left join touched on touched.sid = living.sid`,
    [digest, now, touch?.ifSeenBefore ?? null, touch?.idleEndsAt ?? null],
  );
  return row ?? null;
};
