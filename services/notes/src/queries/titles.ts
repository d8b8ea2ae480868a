import type { NoteId } from '@commonplace/contracts/core';
import { forServer, type CompanyTx } from '@commonplace/db';

/** A title, and the folder it is looked up in. */
export type TitleName = { readonly folder: string; readonly title: string };

/** An active note of a title. */
export type TitledNote = TitleName & {
  /** The index of the wanted title. */
  readonly place: number;
  /** The key of the wanted title: equal for equal titles, letter case aside. */
  readonly key: string;
  /** Null: no note has the title. */
  readonly id: NoteId | null;
  readonly revision: number;
  readonly updatedAt: Date;
  /** Of a conflict copy, whose it is; read where a title has several notes. */
  readonly conflictOf: NoteId | null;
};

type Row = Omit<TitledNote, 'conflictOf'>;

/** The active notes of each title, at most so many, the newest first; one row without id where there is none. */
export const listTitledNotes = async (
  tx: CompanyTx,
  wanted: readonly TitleName[],
  most: number,
): Promise<TitledNote[]> => {
  const rows = await listRows(tx, wanted, most);
  const crowded = [...Map.groupBy(rows, ({ place }) => place).values()]
    .filter((found) => found.length > 1)
    .flatMap((found) => found.flatMap(({ id }) => id ?? []));
  const copies = crowded.length > 0 ? await listConflictSources(tx, crowded) : [];
  const sourceOf = new Map(copies.map(({ id, conflictOf }) => [id, conflictOf]));
  return rows.map((row) => ({ ...row, conflictOf: (row.id && sourceOf.get(row.id)) ?? null }));
};

/**
 * On a plain PostgreSQL by a function that uses the index of titles. On Citus the function would run as another role, which a transaction that has
 * written may not do. There title_key is leakproof, so that a statement of the service uses the index as well.
 */
const listRows = (tx: CompanyTx, wanted: readonly TitleName[], most: number): Promise<Row[]> => {
  const values = [wanted.map(({ folder }) => folder), wanted.map(({ title }) => title), most];
  return forServer(tx, {
    plain: () => tx.query<Row>(byTitle, values, 'notes.list-titled-notes'),
    citus: () =>
      tx.query<Row>(inFolders, [...values, tx.companyId], 'notes.list-titles-in-folders'),
  })();
};

const columns = `(m.place - 1)::integer as place, m.key, m.id, m.folder, m.title, m.revision,
  m.updated_at as "updatedAt"`;

const byTitle = `
  select ${columns}
  from notes.find_titles($1::text[], $2::text[], $3) m
  order by m.place, m.updated_at desc, m.id`;

const inFolders = `
  select ${columns}
  from (
    select w.place, notes.title_key(w.title) as key, n.id, n.folder, n.title, n.revision,
      n.updated_at
    from unnest($1::text[], $2::text[]) with ordinality as w (folder, title, place)
    left join lateral (
      select n.id, n.folder, n.title, n.revision, n.updated_at from notes.notes n
      where n.company_id = $4 and n.folder collate "C" = w.folder collate "C"
        and notes.title_key(n.title) collate "C" = notes.title_key(w.title) collate "C"
        and n.deleted_at is null
      order by n.updated_at desc, n.id
      limit $3
    ) n on true
  ) m
  order by m.place, m.updated_at desc, m.id`;

/** Which of these notes are conflict copies, and of which notes. */
const listConflictSources = (
  tx: CompanyTx,
  ids: readonly NoteId[],
): Promise<{ readonly id: NoteId; readonly conflictOf: NoteId }[]> =>
  tx.query(
    `select n.id, n.conflict_of as "conflictOf" from notes.notes n
     where n.company_id = $1 and n.id = any ($2::uuid[]) and n.conflict_of is not null
     order by n.id`,
    [tx.companyId, ids],
    'notes.list-conflict-sources',
  );
