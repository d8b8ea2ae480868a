import type { NoteId } from '@commonplace/contracts/core';
import type { CompanyTx } from '@commonplace/db';

/** Content that is read for the excerpts of a page. Beyond it only the beginning of a note is. */
export const excerptBytesMax = 2 * 1024 * 1024;
const beginning = 2_000;

export type ExcerptText = { readonly id: NoteId; readonly content: string };

/** The contents of these notes, in this order, of the later ones perhaps only the beginning. */
export const listExcerptTexts = (tx: CompanyTx, ids: readonly NoteId[]): Promise<ExcerptText[]> =>
  tx.query<ExcerptText>(
    `select n.id, case
       when sum(n.size) over (order by i.place rows unbounded preceding) <= $3 then n.content
       else left(n.content, ${beginning})
     end as content
     from unnest($2::uuid[]) with ordinality as i (id, place)
     cross join lateral (
       select n.* from notes.notes n
       where n.company_id = $1 and n.id = any (array[i.id])
       order by n.id
     ) n`,
    [tx.companyId, ids, excerptBytesMax],
  );
