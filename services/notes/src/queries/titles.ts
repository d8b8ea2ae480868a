import type { NoteId } from '@commonplace/contracts/core';
import type { CompanyTx } from '@commonplace/db';

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
};

/** The active notes of each title, the newest first; one row without id where there is none. */
export const listTitledNotes = (
  tx: CompanyTx,
  wanted: readonly TitleName[],
  most: number,
): Promise<TitledNote[]> =>
  tx.query<TitledNote>(
    `select (m.place - 1)::integer as place, m.key, n.id, n.folder, n.title, n.revision,
       n.updated_at as "updatedAt"
     from notes.match_titles($2::text[], $3::text[], $4) m
     left join lateral (
       select n.* from notes.notes n
       where n.company_id = $1 and n.id = any (array[m.id])
       order by n.id
     ) n on true
     order by m.place, n.updated_at desc, n.id`,
    [tx.companyId, wanted.map(({ folder }) => folder), wanted.map(({ title }) => title), most],
    'notes: list titled notes',
  );
