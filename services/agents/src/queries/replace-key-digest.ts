import type { AnyTx } from './tx.ts';

/** Stores a key under the digest of a newer pepper; the old one finds nothing any more. */
export const replaceKeyDigest = async (
  tx: AnyTx,
  oldDigest: string,
  newDigest: string,
): Promise<void> => {
  await tx.query(statement, [oldDigest, newDigest]);
};

const statement = `
  update agents.key_digests set digest = decode($2, 'hex') where digest = decode($1, 'hex')`;
