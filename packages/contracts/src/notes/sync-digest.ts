/** The input of a company's digest: one for each active note. */
type ActiveNote = { readonly id: string; readonly revision: number };

const hashOf = async ({ id, revision }: ActiveNote): Promise<bigint> => {
  const text = new TextEncoder().encode(`${id}:${revision}`);
  return new DataView(await crypto.subtle.digest('SHA-256', text)).getBigUint64(0);
};

/**
 * Computes `integrity.digest` from the ids and revisions of all active notes, as described in the
 * OpenAPI document. For clients; the service updates the sum with every write.
 */
export const syncDigest = async (notes: Iterable<ActiveNote>): Promise<string> => {
  let sum = 0n;
  for (const note of notes) {
    sum = BigInt.asUintN(64, sum + (await hashOf(note)));
  }
  return sum.toString(16).padStart(16, '0');
};
