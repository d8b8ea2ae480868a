import type { NoteId } from '@commonplace/contracts/core';
import type { CompanyTx } from '@commonplace/db';
import { searchedVectorsMax } from './embeddings.ts';
import { binder, isFiltered, noteConditions, type NoteFilters } from './note-filters.ts';

export type NearestSearch = {
  readonly filters: NoteFilters;
  /** Of the query, as text of a bit string. */
  readonly signs: string;
  readonly limit: number;
};

/** Notes that are looked at where filters leave some out. */
const filteredMax = 5_000;

/**
 * The notes that pass the filters and have the vectors with the most signs of the query, by how many of them differ.
 * Vectors of another length, those of a former model, are left out.
 */
export const listNearestNotes = async (
  tx: CompanyTx,
  { filters, signs, limit }: NearestSearch,
): Promise<NoteId[]> => {
  const { bind, values } = binder();
  const company = bind(tx.companyId);
  const conditions = noteConditions(tx.companyId, filters, bind);
  const vectors = isFiltered(filters)
    ? `(select n.id from notes.notes n where ${conditions} limit ${bind(filteredMax)}) n
       cross join lateral (
         select s.note_id, s.signs from notes.embedding_signs s
         where s.company_id = ${company} and s.note_id = any (array[n.id])
       ) s`
    : `notes.embedding_signs s where s.company_id = ${company}`;
  const query = bind(signs);
  const rows = await tx.query<{ id: NoteId }>(
    `select n.id
     from (
       select v.note_id, min(v.differing) as differing
       from (
         select s.note_id,
           case when length(s.signs) = length(${query}::varbit) then bit_count(s.signs # ${query}::varbit) end as differing
         from (select s.note_id, s.signs from ${vectors} limit ${bind(searchedVectorsMax)}) s
       ) v
       where v.differing is not null
       group by v.note_id
       order by min(v.differing), v.note_id
       limit ${bind(limit)}
     ) f
     cross join lateral (
       select n.id from notes.notes n where ${conditions} and n.id = any (array[f.note_id]) order by n.id
     ) n
     order by f.differing, n.id`,
    values,
  );
  return rows.map(({ id }) => id);
};
