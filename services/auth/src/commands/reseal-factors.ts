import type { OperatorId } from '@commonplace/contracts/core';
import { read, write } from '@commonplace/db';
import type { Deps } from '../deps.ts';
import type { SecretBox } from '../factors/secret-box.ts';
import { listOutdatedTotp, resealTotp, type TotpRow } from '../queries/factors.ts';

/** Rows read at once. */
const rowsMax = 1_000;

/**
 * Encrypts the secrets of authenticator apps with the current key, so that a former one can be removed. What no
 * configured key opens stays as it is.
 */
export const resealFactors = async ({
  db,
  secretBox,
}: Pick<Deps, 'db' | 'secretBox'>): Promise<void> => {
  if (!secretBox) {
    return;
  }
  const keyId = secretBox.currentKeyId;
  const readPage = (after: OperatorId | null) =>
    read(db, 'global', (tx) => listOutdatedTotp(tx, { keyId, after, limit: rowsMax }));
  let rows = await readPage(null);
  while (rows.length > 0) {
    await resealRows({ db, secretBox }, rows);
    rows = await readPage(rows.at(-1)?.operatorId ?? null);
  }
};

type ResealDeps = Pick<Deps, 'db'> & { readonly secretBox: SecretBox };

const resealRows = async (
  { db, secretBox }: ResealDeps,
  rows: readonly TotpRow[],
): Promise<void> => {
  for (const { operatorId, sealedSecret: former, keyId: formerKeyId } of rows) {
    const secret = secretBox.open({ sealed: former, keyId: formerKeyId }, operatorId);
    if (secret) {
      const next = secretBox.seal(secret, operatorId);
      await write(db, 'global', (tx) => resealTotp(tx, { operatorId, former, ...next }));
    }
  }
};
