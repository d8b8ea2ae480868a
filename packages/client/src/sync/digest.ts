/** What the digest is computed over: one of these for each living note. */
type Living = { readonly id: string; readonly revision: number };

/** Computes the digest of all living notes. */
export type Digest = (living: readonly Living[]) => Promise<string>;

/**
 * Computes `integrity.digest` as the OpenAPI document describes it, and remembers the hash of every
 * note, so that the next digest costs what has changed since.
 */
export const createDigest = (): Digest => {
  let known = new Map<string, Hashed>();
  return async (living) => {
    const next = new Map<string, Hashed>();
    let sum = 0n;
    for (const { id, revision } of living) {
      const before = known.get(id);
      const hash = before?.revision === revision ? before.hash : await hashOf({ id, revision });
      next.set(id, { revision, hash });
      sum = BigInt.asUintN(64, sum + hash);
    }
    known = next;
    return sum.toString(16).padStart(16, '0');
  };
};

type Hashed = { readonly revision: number; readonly hash: bigint };

const hashOf = async ({ id, revision }: Living): Promise<bigint> => {
  const text = new TextEncoder().encode(`${id}:${revision}`);
  return new DataView(await crypto.subtle.digest('SHA-256', text)).getBigUint64(0);
};
