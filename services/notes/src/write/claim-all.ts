import type { CompanyTx } from '@commonplace/db';
import { claimIds, claimKnownIds } from '../queries/notes.ts';

/** What a batch claims: ids that nobody has yet, nearly always, and ids that the company has claimed before. */
export type ClaimedIds = { readonly ids: readonly string[]; readonly known: readonly string[] };

/** Claims ids, each once, for the company; false: another company has one of them. */
export const claimAll = async (tx: CompanyTx, { ids, known }: ClaimedIds): Promise<boolean> => {
  const again = new Set(known);
  const claimed = [...new Set(ids)].filter((id) => !again.has(id));
  const counts = await Promise.all([
    claimed.length > 0 ? claimIds(tx, claimed) : 0,
    known.length > 0 ? claimKnownIds(tx, known) : 0,
  ]);
  return counts[0] === claimed.length && counts[1] === known.length;
};
