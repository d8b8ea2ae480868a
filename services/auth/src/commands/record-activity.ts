import type { InstanceAction, InstanceActorKind } from '@commonplace/contracts/auth';
import { newId, type OperatorId } from '@commonplace/contracts/core';
import type { GlobalTx } from '@commonplace/db';
import type { OperatorCaller } from '@commonplace/identity';
import { hasRecentActivity, insertInstanceActivity } from '../queries/instance-activity.ts';

/** Who changes an account. */
export type ActivityActor = {
  readonly kind: InstanceActorKind;
  readonly id: OperatorId | null;
  readonly email: string | null;
};

type Account = { readonly id: OperatorId; readonly email: string };

/** Somebody with access to the shell of the server. */
export const shellActor: ActivityActor = { kind: 'shell', id: null, email: null };

/** The configuration, or a sign-in through the provider. */
export const systemActor: ActivityActor = { kind: 'system', id: null, email: null };

/** The operator of a session. */
export const callerActor = ({
  operatorId: id,
  email,
}: Pick<OperatorCaller, 'operatorId' | 'email'>): ActivityActor => ({
  kind: 'operator',
  id,
  email,
});

export type AccountActivity = {
  readonly actor: ActivityActor;
  readonly action: InstanceAction;
  /** Whose account changes. */
  readonly operator: Account;
  readonly at: Date;
  /** What changed, without secrets. */
  readonly detail?: Readonly<Record<string, unknown>>;
};

/** Adds to the audit log of the instance, in the transaction of the change. */
export const recordActivity = (tx: GlobalTx, activity: AccountActivity): Promise<void> =>
  insertInstanceActivity(tx, rowOf(activity));

/** The log has the same change of an operator at most once in this time. */
const coalesceMs = 60_000;

/** As `recordActivity`, for what may be repeated without limit: the same again within a minute is one entry. */
export const recordRepeatableActivity = async (
  tx: GlobalTx,
  activity: AccountActivity,
): Promise<void> => {
  const row = rowOf(activity);
  if (!(await hasRecentActivity(tx, row, new Date(activity.at.getTime() - coalesceMs)))) {
    await insertInstanceActivity(tx, row);
  }
};

/** What an operator changes of its own account. */
export const ownActivity = (
  caller: Pick<OperatorCaller, 'operatorId' | 'email'>,
  { action, at, detail }: Pick<AccountActivity, 'action' | 'at' | 'detail'>,
): AccountActivity => ({
  actor: callerActor(caller),
  operator: { id: caller.operatorId, email: caller.email },
  action,
  at,
  ...(detail ? { detail } : {}),
});

/** An operator ended this many of its own sessions. */
export const recordRevokedSessions = (
  tx: GlobalTx,
  caller: Pick<OperatorCaller, 'operatorId' | 'email'>,
  { at, sessions }: { readonly at: Date; readonly sessions: number },
): Promise<void> => {
  const detail = { sessions };
  return recordRepeatableActivity(
    tx,
    ownActivity(caller, { action: 'session.revoked', at, detail }),
  );
};

const rowOf = ({ actor, action, operator, at, detail }: AccountActivity) => ({
  id: newId(),
  at,
  actorKind: actor.kind,
  actorId: actor.id,
  actorEmail: actor.email,
  action,
  operatorId: operator.id,
  operatorEmail: operator.email,
  detail: detail ?? {},
});
