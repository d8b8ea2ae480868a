import type { NoteId } from '@commonplace/contracts/core';
import type { CompanyTx } from '@commonplace/db';
import { nameFor, ofVisibleNote } from './visible-notes.ts';

/** Of each changed note, the newest versions whose titles are looked at. */
const versionsMax = 50;

/** A title as links have it, see `linkedTitle`; null if it is empty. */
const linkedOf = (title: string): string =>
  `nullif(btrim(regexp_replace(${title}, '\\s+', ' ', 'g')), '')`;

/** A title as links compare it. */
const keyOf = (title: string): string => `notes.title_key(${linkedOf(title)})`;

/** Notes of one statement, which may take 15 s: 50 versions of each, with the longest titles and all different, take one or two. */
const notesMax = 50;

/** Stores the titles that these notes had, and have no more; those of a deleted note are all former. */
export const insertFormerTitles = async (tx: CompanyTx, ids: readonly NoteId[]): Promise<void> => {
  for (let from = 0; from < ids.length; from += notesMax) {
    await tx.query(
      insertFormerTitlesSql,
      [tx.companyId, ids.slice(from, from + notesMax)],
      'notes.insert-former-titles',
    );
  }
};

/**
 * Makes a key for each title, not for each version. `offset 0` keeps what a key is made of from being computed again for each
 * place where `notes.title_key` names it.
 */
const insertFormerTitlesSql = `
  insert into notes.former_titles (company_id, note_id, title_key)
  select f.company_id, t.note_id, t.title_key
  from notes.company_feed f
  cross join (
    select distinct n.id as note_id, notes.title_key(v.linked) as title_key, n.present_key
    from (
      select n.id, n.title, n.deleted_at,
        case when n.deleted_at is null then ${keyOf('n.title')} end as present_key
      from notes.notes n
      where n.company_id = $1 and n.id = any ($2::uuid[])
      offset 0
    ) n
    cross join lateral (
      select ${linkedOf('newest.title')} as linked
      from (
        select v.title from notes.note_revisions v
        where v.company_id = $1 and v.note_id = n.id
        order by v.revision desc
        limit ${versionsMax}
      ) newest
      where n.deleted_at is not null or newest.title <> n.title
      group by newest.title
      offset 0
    ) v
  ) t
  where f.company_id = $1 and t.title_key is not null
    and t.title_key is distinct from t.present_key
  on conflict (company_id, note_id, title_key) do nothing`;

/** A note that has a title, or had it. */
export type NoteOfTitle = {
  readonly id: NoteId;
  readonly folder: string;
  readonly title: string;
  readonly revision: number;
  readonly updatedAt: Date;
  readonly isDeleted: boolean;
  readonly conflictOf: NoteId | null;
};

export type TitleLookup = {
  /** As links compare it, not empty. */
  readonly linkedTitle: string;
  readonly limit: number;
};

/** The active notes of a title in any folder, letter case aside, the newest first. */
export const listNotesOfTitle = (
  tx: CompanyTx,
  { linkedTitle, limit }: TitleLookup,
): Promise<NoteOfTitle[]> =>
  tx.query<NoteOfTitle>(
    `select n.id, n.folder, n.title, n.revision, n.updated_at as "updatedAt", false as "isDeleted",
       n.conflict_of as "conflictOf"
     from (
       select e.note_id, e.created_at from notes.catalog_entries e
       where e.company_id = $1 and e.title_key = (notes.title_key($2) collate "C")
       order by e.created_at desc, e.note_id desc
       limit $3
     ) e
     cross join lateral (
       select n.* from notes.notes n
       where n.company_id = $1 and n.id = any (array[e.note_id]) and n.deleted_at is null
       order by n.id
     ) n
     order by e.created_at desc, e.note_id desc`,
    [tx.companyId, linkedTitle, limit],
    'notes.list-notes-of-title',
  );

/** Who does not see all notes learns of titles of versions it sees: the note may have been elsewhere. */
const hadItVisibly = ({ folders }: CompanyTx): string =>
  folders === null
    ? ''
    : `and exists (
         select from notes.note_revisions v
         where v.company_id = $1 and v.note_id = t.note_id and ${keyOf('v.title')} = t.title_key)`;

/** A note that had a title. */
type NoteOfFormerTitle = NoteOfTitle & {
  /** It has the title again. */
  readonly hasTitle: boolean;
};

/** The notes that had a title; the newest first. Those that have it again count in the limit, and are in the result. */
export const listNotesOfFormerTitle = (
  tx: CompanyTx,
  { linkedTitle, limit }: TitleLookup,
): Promise<NoteOfFormerTitle[]> =>
  tx.query<NoteOfFormerTitle>(
    `select n.id, n.folder, n.title, n.revision, n.updated_at as "updatedAt",
       n.deleted_at is not null as "isDeleted", n.conflict_of as "conflictOf",
       n.deleted_at is null and ${keyOf('n.title')} is not distinct from notes.title_key($2) as "hasTitle"
     from (
       select t.note_id from notes.former_titles t
       where t.company_id = $1 and t.title_key = (notes.title_key($2) collate "C")
         ${ofVisibleNote(tx, 't.note_id')} ${hadItVisibly(tx)}
       order by t.note_id desc
       limit $3
     ) t
     cross join lateral (
       select n.* from notes.notes n
       where n.company_id = $1 and n.id = any (array[t.note_id])
       order by n.id
     ) n
     order by n.updated_at desc, n.id`,
    [tx.companyId, linkedTitle, limit],
    nameFor(tx, 'notes.list-notes-of-former-title'),
  );
