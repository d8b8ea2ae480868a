import type { CompanyId, KeyId } from '@commonplace/contracts/core';
import type { AnyTx } from './tx.ts';

export type KeyUse = { readonly keyId: KeyId; readonly companyId: CompanyId; readonly at: Date };

/** Writes when keys were last used, none more often than every `everySeconds`, whoever else does. */
export const touchKeys = async (
  tx: AnyTx,
  uses: readonly KeyUse[],
  everySeconds: number,
): Promise<void> => {
  await tx.query(statement, [
    uses.map((use) => use.companyId),
    uses.map((use) => use.keyId),
    uses.map((use) => use.at),
    everySeconds,
  ]);
};

const statement = `
  select agents.touch_keys(
    $1::uuid[], $2::uuid[], $3::timestamptz[], make_interval(secs => $4)
  )`;
