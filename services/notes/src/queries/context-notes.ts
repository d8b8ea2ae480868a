import type { CompanyTx } from '@commonplace/db';
import { binder, noteConditions, type Bind, type NoteFilters } from './note-filters.ts';
import { summaryColumns, type NoteRow } from './note-rows.ts';

/** A note with the beginning of its content. */
export type ContextNoteRow = Omit<NoteRow, 'content'> & { readonly text: string };

/** The folders and tags that a context is limited to, and how much is read of each note. */
export type ContextScope = Pick<NoteFilters, 'granted' | 'folders' | 'tag'> & {
  readonly charactersMax: number;
  readonly limit: number;
};

/** Statements without filters have one text, and are prepared under a name. */
const nameWithoutFilters = (
  { granted = null, folders = [], tag }: Pick<ContextScope, 'granted' | 'folders' | 'tag'>,
  name: string,
): string | undefined => (granted || folders.length + tag.length > 0 ? undefined : name);

const filtersOf = ({ granted = null, folders, tag }: ContextScope): NoteFilters => ({
  granted,
  folders,
  tag,
  taggedIds: null,
  deleted: 'exclude',
});

/** Notes whose text is read; the others have only a title. */
type TextsMax = { readonly textsMax: number };

/** The text of the first notes of a list `n`, by their `place`. */
const textOfFirst = ({ textsMax, charactersMax }: ContextScope & TextsMax, bind: Bind): string => `
  case when n.place <= ${bind(textsMax)} and n.deleted_at is null
    then left(n.content, ${bind(charactersMax)}) else '' end as text`;

/** The pinned notes, newest change first. */
export const listPinnedNotes = (
  tx: CompanyTx,
  scope: ContextScope & TextsMax,
): Promise<ContextNoteRow[]> => {
  const { bind, values } = binder();
  const conditions = noteConditions(tx.companyId, { ...filtersOf(scope), pinned: true }, bind);
  return tx.query<ContextNoteRow>(
    `select ${summaryColumns}, ${textOfFirst(scope, bind)}
     from (
       select n.*, row_number() over (order by n.updated_at desc, n.id desc) as place
       from notes.notes n where ${conditions}
       order by n.updated_at desc, n.id desc
       limit ${bind(scope.limit)}
     ) n
     order by n.updated_at desc, n.id desc`,
    values,
    nameWithoutFilters(scope, 'notes.list-pinned-notes'),
  );
};

/** These notes in this order. */
export const listContextNotes = (
  tx: CompanyTx,
  { ids, charactersMax }: { readonly ids: readonly string[]; readonly charactersMax: number },
): Promise<ContextNoteRow[]> =>
  tx.query<ContextNoteRow>(
    `select ${summaryColumns}, left(n.content, $3) as text
     from unnest($2::uuid[]) with ordinality as i (id, place)
     cross join lateral (
       select n.* from notes.notes n
       where n.company_id = $1 and n.id = any (array[i.id])
       order by n.id
     ) n
     order by i.place`,
    [tx.companyId, ids, charactersMax],
    'notes.list-context-notes',
  );

export type ChangedSince = ContextScope &
  TextsMax & {
    readonly changeNo: number;
    /** The newest change to list. */
    readonly upTo: number;
    /** Notes that only this author has changed are left out. */
    readonly exceptAuthorId: string;
  };

/** Of a note whose newest version is the caller's, the versions that are looked at. Beyond, it is listed. */
const versionsMax = 100;

/** Notes that others changed or deleted after a change number, newest change first. */
export const listNotesChangedByOthers = (
  tx: CompanyTx,
  { changeNo, upTo, exceptAuthorId, ...scope }: ChangedSince,
): Promise<ContextNoteRow[]> => {
  const { bind, values } = binder();
  const filters = { ...filtersOf(scope), deleted: 'include' } as const;
  const conditions = noteConditions(tx.companyId, filters, bind);
  const [after, author] = [bind(changeNo), bind(exceptAuthorId)];
  return tx.query<ContextNoteRow>(
    `select ${summaryColumns}, ${textOfFirst(scope, bind)}
     from (
       select n.*, row_number() over (order by n.change_no desc) as place from notes.notes n
       where ${conditions}
         and n.change_no > ${after} and n.change_no <= ${bind(upTo)}
         and (n.updated_by_id <> ${author} or n.revision > 1 and exists (
           select from (
             select v.change_no, v.created_by_id,
               row_number() over (order by v.revision desc) as place
             from notes.note_revisions v
             where v.company_id = n.company_id and v.note_id = n.id
             order by v.revision desc
             limit ${versionsMax}
           ) v
           where v.change_no > ${after} and (v.created_by_id <> ${author} or v.place = ${versionsMax})
         ))
       order by n.change_no desc
       limit ${bind(scope.limit)}
     ) n
     order by n.change_no desc`,
    values,
    nameWithoutFilters(scope, 'notes.list-notes-changed-by-others'),
  );
};
