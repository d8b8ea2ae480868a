import type { NoteId } from '@commonplace/contracts/core';
import type { CompanyTx } from '@commonplace/db';
import type { NoteRow, StoredNote } from './note-rows.ts';

/** What a note was before it left a folder. */
type FormerNote = Pick<
  NoteRow,
  | 'title'
  | 'createdByKind'
  | 'createdById'
  | 'createdByRunId'
  | 'updatedByKind'
  | 'updatedById'
  | 'updatedByRunId'
> & { readonly createdAt: string };

/** A note that was moved, with the folder that it left. */
export type Departure = {
  readonly noteId: NoteId;
  readonly folder: string;
  readonly changeNo: number;
  /** That of the move. */
  readonly revision: number;
  readonly former: FormerNote;
};

/** The departure of a note from the folder of one version, by the next one. */
export const departureOf = (before: StoredNote, after: StoredNote): Departure => ({
  noteId: before.id,
  folder: before.folder,
  changeNo: after.changeNo,
  revision: after.revision,
  former: {
    title: before.title,
    createdAt: before.createdAt.toISOString(),
    createdByKind: before.createdByKind,
    createdById: before.createdById,
    createdByRunId: before.createdByRunId,
    updatedByKind: before.updatedByKind,
    updatedById: before.updatedById,
    updatedByRunId: before.updatedByRunId,
  },
});

/** Records from where notes were moved. Of several times that a note left a folder, the last one counts. */
export const insertDepartures = async (
  tx: CompanyTx,
  departures: readonly Departure[],
  at: Date,
): Promise<void> => {
  const last = [...new Map(departures.map((one) => [`${one.noteId} ${one.folder}`, one])).values()];
  await tx.query(
    `insert into notes.departures as d
       (company_id, note_id, folder, change_no, revision, former, departed_at)
     select f.company_id, r.note_id, r.folder, r.change_no, r.revision, r.former, $3
     from notes.company_feed f
     cross join json_to_recordset($2::json) as r
       (note_id uuid, folder text, change_no bigint, revision integer, former json)
     where f.company_id = $1
     on conflict (company_id, note_id, folder) do update set change_no = excluded.change_no,
       revision = excluded.revision, former = excluded.former, departed_at = excluded.departed_at`,
    [
      tx.companyId,
      JSON.stringify(
        last.map(({ noteId, changeNo, ...rest }) => ({
          note_id: noteId,
          change_no: changeNo,
          ...rest,
        })),
      ),
      at,
    ],
    'notes.insert-departures',
  );
};

export type DeparturePage = {
  readonly after: number;
  readonly upTo: number;
  /** Change numbers the caller already knows. */
  readonly known: readonly number[];
  readonly limit: number;
};

type DepartureRow = Pick<NoteRow, 'id' | 'folder' | 'changeNo' | 'revision'> & {
  readonly former: FormerNote;
  readonly departedAt: Date;
};

/**
 * The notes that left visible folders and are in none now, as deletions that say why. They show what the note was before,
 * and nothing of what became of it.
 */
export const listDepartures = async (
  tx: CompanyTx,
  { after, upTo, known, limit }: DeparturePage,
): Promise<NoteRow[]> => {
  const rows = await tx.query<DepartureRow>(
    `select d.note_id as id, d.folder, d.change_no as "changeNo", d.revision, d.former,
       d.departed_at as "departedAt"
     from notes.departures d
     where d.company_id = $1 and d.change_no > $2 and d.change_no <= $3
       and d.change_no <> all ($4::bigint[])
       and not exists (
         select from notes.notes n where n.company_id = $1 and n.id = d.note_id)
     order by d.change_no
     limit $5`,
    [tx.companyId, after, upTo, known, limit],
    'notes.list-departures',
  );
  return rows.map(({ former, departedAt, ...row }) => ({
    ...row,
    ...former,
    companyId: tx.companyId,
    createdAt: new Date(former.createdAt),
    updatedAt: departedAt,
    deletedAt: departedAt,
    reason: 'not_granted',
    content: '',
    tags: [],
    pinned: false,
    archived: false,
    properties: {},
    size: 0,
    snippet: '',
    conflictOf: null,
    sentBy: null,
  }));
};

/**
 * The head up to which a transaction has no removals to show after a change number; null: it has some, or the company has no
 * feed. What is moved later is beyond the head.
 */
export const findHeadWithoutDepartures = async (
  tx: CompanyTx,
  after: number,
): Promise<number | null> => {
  const [row] = await tx.query<{ head: number }>(
    `select f.head from notes.company_feed f
     where f.company_id = $1 and not exists (
       select from notes.departures d
       where d.company_id = $1 and d.change_no > $2
         and not exists (
           select from notes.notes n where n.company_id = $1 and n.id = d.note_id))`,
    [tx.companyId, after],
    'notes.find-head-without-departures',
  );
  return row?.head ?? null;
};

/** Deletes departures that no cursor needs: it has expired. Returns how many. */
export const deleteDepartures = async (
  tx: CompanyTx,
  { limit }: { readonly limit: number },
): Promise<number> => {
  const rows = await tx.query(
    `delete from notes.departures d
     where d.company_id = $1 and (d.note_id, d.folder) in (
       select x.note_id, x.folder from notes.departures x
       where x.company_id = $1
         and x.change_no <= (select f.floor from notes.company_feed f where f.company_id = $1)
       limit $2)
     returning 1 as deleted`,
    [tx.companyId, limit],
  );
  return rows.length;
};
