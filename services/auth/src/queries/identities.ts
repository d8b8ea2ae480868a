import type { OperatorId, SessionId } from '@commonplace/contracts/core';
import type { GlobalTx } from '@commonplace/db';
import type { AccountTx } from './tx.ts';

/** An identity at a provider that signs an operator in. */
export type IdentityRow = {
  readonly id: string;
  readonly operatorId: OperatorId;
  readonly issuer: string;
  readonly subject: string;
  readonly email: string | null;
  readonly createdAt: Date;
  readonly lastUsedAt: Date | null;
};

const columns = `
  id, operator_id as "operatorId", issuer, subject, email, created_at as "createdAt",
  last_used_at as "lastUsedAt"`;

type IdentityName = Pick<IdentityRow, 'issuer' | 'subject'>;

/** Finds an identity by issuer and subject, and records that it is used. */
export const useIdentity = async (
  tx: GlobalTx,
  { issuer, subject, now }: IdentityName & { readonly now: Date },
): Promise<IdentityRow | null> => {
  const [row] = await tx.query<IdentityRow>(
    `update auth.identities set last_used_at = $3
      where issuer = $1 and subject = $2
      returning ${columns}`,
    [issuer, subject, now],
  );
  return row ?? null;
};

/** Prevents the end of an identity until the transaction ends; null if it does not exist. */
export const lockIdentity = async (
  tx: GlobalTx,
  { id, operatorId }: { readonly id: string; readonly operatorId: OperatorId },
): Promise<IdentityName | null> => {
  const [row] = await tx.query<IdentityName>(
    `select issuer, subject from auth.identities
      where id = $1 and operator_id = $2
        for key share`,
    [id, operatorId],
  );
  return row ?? null;
};

/** Links an identity; returns null if it is linked already, to whomever. */
export const insertIdentity = async (
  tx: AccountTx,
  row: Omit<IdentityRow, 'lastUsedAt'>,
): Promise<IdentityRow | null> => {
  const [inserted] = await tx.query<IdentityRow>(
    `insert into auth.identities (id, operator_id, issuer, subject, email, created_at)
     values ($1, $2, $3, $4, $5, $6)
     on conflict (issuer, subject) do nothing
     returning ${columns}`,
    [row.id, row.operatorId, row.issuer, row.subject, row.email, row.createdAt],
  );
  return inserted ?? null;
};

/** Lists the identities of an operator, oldest first. There are at most 20. */
export const listIdentities = (tx: GlobalTx, operatorId: OperatorId): Promise<IdentityRow[]> =>
  tx.query<IdentityRow>(
    `select ${columns} from auth.identities where operator_id = $1 order by id`,
    [operatorId],
  );

type OwnIdentity = { readonly id: string; readonly operatorId: OperatorId };

/**
 * Ends the sessions that an identity began, except one. Call it before `deleteIdentity`, which makes
 * sessions forget their identity.
 */
export const deleteSessionsOfIdentity = async (
  tx: AccountTx,
  { id, operatorId, keptId }: OwnIdentity & { readonly keptId: SessionId | null },
): Promise<void> => {
  await tx.query(
    `delete from auth.sessions
      where identity_id = $1 and operator_id = $2 and ($3::uuid is null or id <> $3)`,
    [id, operatorId, keptId],
  );
};

/** Unlinks an identity of an operator; false if it has none of this id. */
export const deleteIdentity = async (
  tx: AccountTx,
  { id, operatorId }: OwnIdentity,
): Promise<boolean> => {
  const rows = await tx.query(
    'delete from auth.identities where id = $1 and operator_id = $2 returning 1',
    [id, operatorId],
  );
  return rows.length > 0;
};

/** Unlinks all identities of an operator; returns how many. */
export const deleteAllIdentities = async (tx: AccountTx, operatorId: OperatorId): Promise<number> =>
  (await tx.query('delete from auth.identities where operator_id = $1 returning 1', [operatorId]))
    .length;

export type ProviderSession = {
  readonly issuer: string;
  readonly subject: string | null;
  readonly sid: string | null;
};

/**
 * Ends the sessions that a logout token names: of its session at the provider, or all of its subject.
 * Sessions of providers that name no session in their ID tokens end with their subject. Returns how many ended.
 */
export const deleteProviderSessions = async (
  tx: GlobalTx,
  { issuer, subject, sid }: ProviderSession,
): Promise<number> => {
  const rows = await tx.query(
    `delete from auth.sessions s
      using auth.identities i
      where i.id = s.identity_id
        and i.issuer = $1
        and ($2::text is null or i.subject = $2)
        and ($3::text is null or s.provider_sid = $3 or (s.provider_sid is null and $2 is not null))
      returning 1`,
    [issuer, subject, sid],
  );
  return rows.length;
};
