/** The part of an active note that the digest covers. */
type ActiveNote = { readonly id: string; readonly revision: number };

/** Computes the digest of all active notes. */
export type Digest = (active: readonly ActiveNote[]) => Promise<string>;

/**
 * Computes `integrity.digest` as the OpenAPI document describes it. It caches the hash of every note, so
 * that the next digest hashes only what has changed.
 */
export const createDigest = (): Digest => {
  let hashes = new Map<string, NoteHash>();
  return async (active) => {
    const next = new Map<string, NoteHash>();
    let sum = 0n;
    for (const { id, revision } of active) {
      const before = hashes.get(id);
      const hash = before?.revision === revision ? before.hash : await hashOf({ id, revision });
      next.set(id, { revision, hash });
      sum = BigInt.asUintN(64, sum + hash);
    }
    hashes = next;
    return sum.toString(16).padStart(16, '0');
  };
};

type NoteHash = { readonly revision: number; readonly hash: bigint };

const hashOf = async ({ id, revision }: ActiveNote): Promise<bigint> => {
  const text = new TextEncoder().encode(`${id}:${revision}`);
  return new DataView(await crypto.subtle.digest('SHA-256', text)).getBigUint64(0);
};
