import type { OperatorId } from '@commonplace/contracts/core';
import type { GlobalTx } from '@commonplace/db';
import type { AccountTx } from './tx.ts';

/** A row of `auth.passkeys`. */
export type PasskeyRow = {
  readonly id: string;
  readonly operatorId: OperatorId;
  readonly credentialId: string;
  readonly publicKey: Buffer;
  readonly isBackedUp: boolean;
  readonly transports: readonly string[];
  readonly name: string;
  readonly createdAt: Date;
  readonly lastUsedAt: Date | null;
};

const columns = `
  id, operator_id as "operatorId", credential_id as "credentialId", public_key as "publicKey",
  is_backed_up as "isBackedUp", transports, name, created_at as "createdAt", last_used_at as "lastUsedAt"`;

/** Lists the passkeys of an operator, oldest first. */
export const listPasskeys = (tx: GlobalTx, operatorId: OperatorId): Promise<PasskeyRow[]> =>
  tx.query<PasskeyRow>(
    `select ${columns} from auth.passkeys where operator_id = $1 order by created_at, id`,
    [operatorId],
  );

/** Reads a passkey by the id that the authenticator gave it. */
export const findPasskey = async (
  tx: GlobalTx,
  credentialId: string,
): Promise<PasskeyRow | null> => {
  const [row] = await tx.query<PasskeyRow>(
    `select ${columns} from auth.passkeys where credential_id = $1`,
    [credentialId],
  );
  return row ?? null;
};

export type NewPasskey = {
  readonly id: string;
  readonly operatorId: OperatorId;
  readonly credentialId: string;
  readonly publicKey: Uint8Array;
  readonly counter: number;
  readonly isBackedUp: boolean;
  readonly transports: readonly string[];
  readonly name: string;
  readonly at: Date;
};

/** Inserts a passkey; null if its credential is registered. */
export const insertPasskey = async (
  tx: AccountTx,
  passkey: NewPasskey,
): Promise<PasskeyRow | null> => {
  const [row] = await tx.query<PasskeyRow>(
    `insert into auth.passkeys
       (id, operator_id, credential_id, public_key, counter, is_backed_up, transports, name, created_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9)
     on conflict (credential_id) do nothing
     returning ${columns}`,
    [
      passkey.id,
      passkey.operatorId,
      passkey.credentialId,
      Buffer.from(passkey.publicKey),
      passkey.counter,
      passkey.isBackedUp,
      passkey.transports,
      passkey.name,
      passkey.at,
    ],
  );
  return row ?? null;
};

/**
 * Records a use of a passkey. Returns false if its counter does not go on: a copy of it is in use. Many passkeys
 * always count 0, which is no sign of that.
 */
export const recordPasskeyUse = async (
  tx: GlobalTx,
  use: {
    readonly id: string;
    readonly counter: number;
    readonly isBackedUp: boolean;
    readonly at: Date;
  },
): Promise<boolean> => {
  const rows = await tx.query(
    `update auth.passkeys set counter = $2, is_backed_up = $3, last_used_at = $4
      where id = $1 and (counter < $2 or (counter = 0 and $2 = 0))
      returning 1`,
    [use.id, use.counter, use.isBackedUp, use.at],
  );
  return rows.length > 0;
};

type OwnPasskey = { readonly id: string; readonly operatorId: OperatorId };

/** Renames a passkey of an operator. */
export const renamePasskey = async (
  tx: AccountTx,
  { id, operatorId, name }: OwnPasskey & { readonly name: string },
): Promise<PasskeyRow | null> => {
  const [row] = await tx.query<PasskeyRow>(
    `update auth.passkeys set name = $3 where operator_id = $1 and id = $2 returning ${columns}`,
    [operatorId, id, name],
  );
  return row ?? null;
};

/** Deletes a passkey of an operator and returns it; null if there is none. */
export const deletePasskeyRow = async (
  tx: AccountTx,
  { id, operatorId }: OwnPasskey,
): Promise<PasskeyRow | null> => {
  const [row] = await tx.query<PasskeyRow>(
    `delete from auth.passkeys where operator_id = $1 and id = $2 returning ${columns}`,
    [operatorId, id],
  );
  return row ?? null;
};

/** Deletes all passkeys of an operator; returns how many. */
export const deleteAllPasskeys = async (tx: AccountTx, operatorId: OperatorId): Promise<number> =>
  (await tx.query('delete from auth.passkeys where operator_id = $1 returning 1', [operatorId]))
    .length;

/**
 * Whether an operator still has a passkey, which then stays until the transaction ends: a session that it starts in that
 * transaction ends with it.
 */
export const lockPasskey = async (
  tx: GlobalTx,
  { id, operatorId }: { readonly id: string; readonly operatorId: OperatorId },
): Promise<boolean> => {
  const rows = await tx.query(
    'select from auth.passkeys where id = $1 and operator_id = $2 for key share',
    [id, operatorId],
  );
  return rows.length > 0;
};
