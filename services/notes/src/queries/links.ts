import type { NoteId } from '@commonplace/contracts/core';
import type { CompanyTx } from '@commonplace/db';
import { nameFor, ofVisibleNote } from './visible-notes.ts';

/** The newest note with a title key, `$n` or a column. */
const newestTitled = (titleKey: string): string => `
  select e.note_id from notes.catalog_entries e
  where e.company_id = $1 and e.title_key = ${titleKey}
  order by e.created_at desc, e.note_id desc
  limit 1`;

/** The newest note with a title key in a folder. */
const newestIn = (titleKey: string, folder: string): string => `
  select e.note_id from notes.catalog_entries e
  where e.company_id = $1 and e.title_key = ${titleKey} and e.folder = ${folder}
  order by e.created_at desc, e.note_id desc
  limit 1`;

/** The folder of a note, `$n` or a column; null if the transaction does not see it. */
const folderOf = (noteId: string): string =>
  `(select s.folder from notes.catalog_entries s where s.company_id = $1 and s.note_id = ${noteId})`;

/** Where a link of a note by a title leads: to the newest note of the same folder, or else to the newest of all. */
const targetOf = (titleKey: string, sourceId: string): string =>
  `coalesce((${newestIn(titleKey, folderOf(sourceId))}), (${newestTitled(titleKey)}))`;

/**
 * Whether links by the title key can lead to the note `$2` at all: it is the newest of all, or of its folder. Of most
 * notes this decides without reading a link.
 */
const canBeTarget = (titleKey: string): string =>
  `$2 in ((${newestTitled(titleKey)}), (${newestIn(titleKey, folderOf('$2'))}))`;

export type LinkRow = {
  readonly place: number;
  readonly targetId: NoteId | null;
  readonly title: string;
};

export type LinkPage = {
  readonly id: NoteId;
  readonly after: number;
  readonly limit: number;
};

/**
 * A page of the links of a note, in the order of its text, with the notes they lead to now. Under row-level security
 * the planner uses no index for a condition with `coalesce`, hence `case`.
 */
export const listLinks = (tx: CompanyTx, { id, after, limit }: LinkPage): Promise<LinkRow[]> =>
  tx.query<LinkRow>(
    `select l.place, n.id as "targetId", coalesce(n.title, l.title, l.target_id::text) as title
     from (
       select l.* from notes.note_links l
       where l.company_id = $1 and l.source_id = $2 and l.place > $3
       order by l.place
       limit $4
     ) l
     left join lateral (
       select ${targetOf('l.title_key', '$2')} as note_id
     ) t on l.title_key is not null
     left join lateral (
       select n.id, n.title from notes.notes n
       where n.company_id = $1 and n.id = any (array[case when l.target_id is null then t.note_id else l.target_id end])
         and n.deleted_at is null
       order by n.id
     ) n on true
     order by l.place`,
    [tx.companyId, id, after, limit],
    'notes.list-links',
  );

/** Characters of the text before and after the start of a link that a backlink shows. */
const shown = { before: 80, in: 240 } as const;

export type BacklinkRow = {
  readonly id: NoteId;
  readonly title: string;
  /** The text around the link, as it is. */
  readonly text: string;
  /** Whether there is text before it. */
  readonly isCut: boolean;
};

export type BacklinkPage = {
  readonly id: NoteId;
  /** The title as links compare it; empty: only links to its id lead to the note. */
  readonly linkedTitle: string;
  readonly after: NoteId | null;
  readonly limit: number;
};

/** The key of the title `$3`; null if it is empty. */
const keyOfTitle = `(notes.title_key(nullif($3::text, '')) collate "C")`;

/** Before every id. */
export const firstId = '00000000-0000-0000-0000-000000000000';

/**
 * A page of the notes that link to a note: by its id, or by its title where that leads to it. Each branch reads one range of
 * an index, so the work does not depend on the number of backlinks. Of a title that several folders have, links that lead to
 * another note of it are read and left out.
 */
export const listBacklinks = (
  tx: CompanyTx,
  { id, linkedTitle, after, limit }: BacklinkPage,
): Promise<BacklinkRow[]> =>
  tx.query<BacklinkRow>(
    `select n.id, n.title,
       substr(n.content, greatest(1, s.char_offset + 1 - ${shown.before}), ${shown.in}) as text,
       s.char_offset > ${shown.before} as "isCut"
     from (
       select s.source_id, min(s.char_offset) as char_offset
       from (
         (select l.source_id, l.char_offset from notes.note_links l
          where l.company_id = $1 and l.target_id = $2 and l.source_id > $4 ${ofVisibleNote(tx, 'l.source_id')}
          order by l.source_id limit $5)
         union all
         (select l.source_id, l.char_offset from notes.note_links l
          where l.company_id = $1 and l.title_key = ${keyOfTitle} and l.source_id > $4
            and ${canBeTarget(keyOfTitle)} and ${targetOf(keyOfTitle, 'l.source_id')} = $2
            ${ofVisibleNote(tx, 'l.source_id')}
          order by l.source_id limit $5)
       ) s
       group by s.source_id
       order by s.source_id
       limit $5
     ) s
     join notes.notes n on n.company_id = $1 and n.id = s.source_id
     order by n.id`,
    [tx.companyId, id, linkedTitle, after ?? firstId, limit],
    nameFor(tx, 'notes.list-backlinks'),
  );

/** A note with a link to another one by its title. */
export type LinkingNote = { readonly id: NoteId; readonly size: number };

/** The notes whose links by its title lead to a note, in the order of their ids. */
export const listLinkingNotes = (
  tx: CompanyTx,
  { id, linkedTitle, limit }: Pick<BacklinkPage, 'id' | 'linkedTitle' | 'limit'>,
): Promise<LinkingNote[]> =>
  tx.query<LinkingNote>(
    `select n.id, n.size
     from (
       select l.source_id from notes.note_links l
       where l.company_id = $1 and l.title_key = ${keyOfTitle}
         and ${canBeTarget(keyOfTitle)} and ${targetOf(keyOfTitle, 'l.source_id')} = $2
         ${ofVisibleNote(tx, 'l.source_id')}
       order by l.source_id limit $4
     ) l
     join notes.notes n on n.company_id = $1 and n.id = l.source_id
     where n.deleted_at is null
     order by n.id`,
    [tx.companyId, id, linkedTitle, limit],
    nameFor(tx, 'notes.list-linking-notes'),
  );
