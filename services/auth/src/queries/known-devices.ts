import type { OperatorId } from '@commonplace/contracts/core';
import type { GlobalTx } from '@commonplace/db';
import type { AccountTx } from './tx.ts';

type Device = {
  readonly operatorId: OperatorId;
  /** The hex SHA-256 of its cookie. */
  readonly digest: string;
};

/** Whether an operator signed in with a device before. */
export const isKnownDevice = async (
  tx: GlobalTx,
  { operatorId, digest }: Device,
): Promise<boolean> => {
  const rows = await tx.query(
    'select from auth.known_devices where operator_id = $1 and digest = $2',
    [operatorId, digest],
  );
  return rows.length > 0;
};

/** The same by email: one statement, whether or not it has an account. */
export const isKnownDeviceOfEmail = async (
  tx: GlobalTx,
  { email, digest }: { readonly email: string; readonly digest: string },
): Promise<boolean> => {
  const rows = await tx.query(
    `select from auth.known_devices d
       join auth.operators o on o.id = d.operator_id
      where o.email = $1 and d.digest = $2`,
    [email, digest],
  );
  return rows.length > 0;
};

/** Whether anybody signed in with a device before. */
export const isKnownDeviceOfAnybody = async (tx: GlobalTx, digest: string): Promise<boolean> => {
  const rows = await tx.query('select from auth.known_devices where digest = $1 limit 1', [digest]);
  return rows.length > 0;
};

/** Records that an operator signed in with a device. */
export const recordKnownDevice = async (
  tx: GlobalTx,
  { operatorId, digest, at }: Device & { readonly at: Date },
): Promise<void> => {
  await tx.query(
    `insert into auth.known_devices as d (operator_id, digest, last_used_at)
     values ($1, $2, $3)
     on conflict (operator_id, digest) do update set last_used_at = greatest(d.last_used_at, $3)`,
    [operatorId, digest, at],
  );
};

/** Forgets the devices of an operator that were used longest ago. */
export const deleteOldDevices = async (
  tx: GlobalTx,
  { operatorId, keep }: Pick<Device, 'operatorId'> & { readonly keep: number },
): Promise<void> => {
  await tx.query(
    `delete from auth.known_devices
      where operator_id = $1
        and digest in (
          select digest from auth.known_devices
           where operator_id = $1
           order by last_used_at desc, digest
          offset $2
        )`,
    [operatorId, keep],
  );
};

/** Forgets every device of an operator. */
export const deleteKnownDevices = async (tx: AccountTx, operatorId: OperatorId): Promise<void> => {
  await tx.query('delete from auth.known_devices where operator_id = $1', [operatorId]);
};

/** Forgets devices that were not used since a time. */
export const deleteUnusedDevices = async (tx: GlobalTx, before: Date): Promise<void> => {
  await tx.query('delete from auth.known_devices where last_used_at < $1', [before]);
};
