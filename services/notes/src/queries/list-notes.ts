import type { CompanyTx } from '@commonplace/db';
import { listedColumns, type ListedNoteRow, type NoteView } from './note-rows.ts';
import { binder, noteConditions, type Bind, type NoteFilters } from './note-filters.ts';

/** Sort value (time, title or rank) and id of the last row before a page. */
export type PagePosition = readonly [sortValue: string | number, id: string];

/** Beyond this number, key lookups cost more than a filtered scan. */
const taggedMax = 1_000;

/** The ids of the notes with all these tags; null: too many for key lookups. */
export const listTaggedIds = async (
  tx: CompanyTx,
  tags: readonly string[],
): Promise<string[] | null> => {
  const rows = await tx.query<{ id: string }>(
    'select t.id from notes.match_tags($1::text[], $2) as t (id)',
    [tags, taggedMax + 1],
  );
  return rows.length > taggedMax ? null : rows.map(({ id }) => id);
};

/** Filters, order and position of a page. */
export type NoteListing = NoteFilters & {
  /** Full-text condition (`tsquery`), for searches with too many matches to rank. */
  readonly tsQuery?: string | undefined;
  readonly view: NoteView;
  readonly sort: 'updatedAt' | 'createdAt' | 'title';
  readonly order: 'asc' | 'desc';
  readonly after: PagePosition | null;
  readonly limit: number;
};

const sortColumns = {
  updatedAt: { column: 'n.updated_at', type: 'timestamptz' },
  createdAt: { column: 'n.created_at', type: 'timestamptz' },
  title: { column: 'n.title', type: 'text' },
} as const;

/** Lists notes by keyset pagination: every page costs the same. */
export const listNotes = (tx: CompanyTx, listing: NoteListing): Promise<ListedNoteRow[]> => {
  const { bind, values } = binder();
  const { column, type } = sortColumns[listing.sort];
  const { after, order, limit } = listing;
  const isBehind = order === 'asc' ? '>' : '<';
  const { taggedIds } = listing;
  const source = taggedIds ? taggedNotes(taggedIds, tx.companyId, bind) : 'notes.notes';
  // A source of tagged notes needs no tag condition.
  const filters = taggedIds ? { ...listing, tag: [], taggedIds: null } : listing;
  const conditions = noteConditions(tx.companyId, filters, bind);
  const search =
    listing.tsQuery === undefined ? '' : searchCondition(listing.tsQuery, tx.companyId, bind);
  const keyset = after
    ? `and (${column}, n.id) ${isBehind} (${bind(after[0])}::${type}, ${bind(after[1])}::uuid)`
    : '';
  const inOrder = `${column} ${order}, n.id ${order}`;
  const statement = `
    select ${listedColumns(listing.view, inOrder)}
    from (
      select n.* from ${source} n
      where ${conditions} ${search} ${keyset}
      order by ${inOrder}
      limit ${bind(limit)}
    ) n
    order by ${inOrder}`;
  return tx.query<ListedNoteRow>(statement, values);
};

/** The notes with these ids, read by primary key. */
const taggedNotes = (ids: readonly string[], companyId: string, bind: Bind): string => `(
  select n.* from notes.notes n
  where n.company_id = ${bind(companyId)} and n.id = any (${bind(ids)}::uuid[])
  order by n.id)`;

const searchCondition = (tsQuery: string, companyId: string, bind: Bind): string => `
  and exists (
    select from notes.note_search s
    where s.company_id = ${bind(companyId)} and s.note_id = n.id
      and s.document @@ ${bind(tsQuery)}::tsquery)`;
