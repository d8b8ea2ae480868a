import { read, write } from '@commonplace/db';
import type { Deps } from '../deps.ts';
import { listOutdatedTotp, resealTotp } from '../queries/factors.ts';

/** Rows of one pass; the next pass takes the others. */
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
  const rows = await read(db, 'global', (tx) => listOutdatedTotp(tx, { keyId, limit: rowsMax }));
  for (const { operatorId, sealedSecret: former, keyId: formerKeyId } of rows) {
    const secret = secretBox.open({ sealed: former, keyId: formerKeyId }, operatorId);
    if (secret) {
      const next = secretBox.seal(secret, operatorId);
      await write(db, 'global', (tx) => resealTotp(tx, { operatorId, former, ...next }));
    }
  }
};
