import { hash } from 'node:crypto';

/** What the digest covers of an active note. */
export type ActiveNote = { readonly id: string; readonly revision: number };

/**
 * The digest after `added` notes became active at their revisions and `removed` ones ceased to be: a sum
 * modulo 2^64, so that each change costs one addition, whatever the number of notes. The formula is in the
 * description of `SyncIntegrity`; `syncDigest` of the contracts computes it from scratch.
 */
export const movedDigest = (
  digest: string,
  {
    added,
    removed,
  }: { readonly added: Iterable<ActiveNote>; readonly removed: Iterable<ActiveNote> },
): string => {
  let sum = BigInt(`0x${digest}`);
  for (const note of added) {
    sum += hashOf(note);
  }
  for (const note of removed) {
    sum -= hashOf(note);
  }
  return BigInt.asUintN(64, sum).toString(16).padStart(16, '0');
};

const hashOf = ({ id, revision }: ActiveNote): bigint =>
  BigInt(`0x${hash('sha256', `${id}:${revision}`).slice(0, 16)}`);
