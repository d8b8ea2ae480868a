import type { CompanyTx } from '@commonplace/db';
import { listedColumns, type ListedNoteRow, type NoteView } from './listed-note-row.ts';
import { binder, noteConditions, type NoteFilters } from './note-filters.ts';
import type { PagePosition } from './page-position.ts';

/** What was found, and from where in its ranking. */
export type NoteSearch = NoteFilters & {
  readonly view: NoteView;
  /** In the syntax of `websearch_to_tsquery`, which takes any text. */
  readonly q: string;
  /** The notes that match `q`. */
  readonly foundIds: readonly string[];
  readonly after: PagePosition | null;
  readonly limit: number;
};

/**
 * Lists what a full-text search found, best match first. Equal matches have equal ranks, so the id
 * decides between them; a rank survives the way to the client and back unchanged (float4).
 */
export const searchNotes = (tx: CompanyTx, search: NoteSearch): Promise<ListedNoteRow[]> => {
  const { bind, values } = binder();
  const { after, limit } = search;
  const conditions = noteConditions(tx.companyId, search, bind);
  const keyset = after
    ? `where (n.rank, n.id) < (${bind(after[0])}::real, ${bind(after[1])}::uuid)`
    : '';
  const inOrder = 'n.rank desc, n.id desc';
  const statement = `
    select ${listedColumns(search.view, inOrder)}, n.rank
    from (
      select n.*
      from (
        select n.*, ts_rank(s.document, websearch_to_tsquery('simple', ${bind(search.q)})) as rank
        from notes.note_search s
        cross join lateral (
          select n.* from notes.notes n
          where ${conditions} and n.id = any (array[s.note_id])
          order by n.id
        ) n
        where s.company_id = ${bind(tx.companyId)}
          and s.note_id = any (${bind(search.foundIds)}::uuid[])
      ) n
      ${keyset}
      order by ${inOrder}
      limit ${bind(limit)}
    ) n
    order by ${inOrder}`;
  return tx.query<ListedNoteRow>(statement, values);
};
