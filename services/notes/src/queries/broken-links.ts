import type { NoteId } from '@commonplace/contracts/core';
import type { CompanyTx } from '@commonplace/db';
import { firstId } from './links.ts';
import { nameFor, ofVisibleNote } from './visible-notes.ts';

/** Where a link is. Links are read in the order of notes and of their texts. */
export type LinkPosition = { readonly noteId: NoteId; readonly place: number };

/**
 * The most links that a page examines, and of callers who see some folders only: there each may have to pass by hidden notes
 * of the same title.
 */
const examinedMax = { ofAll: 2_000, ofVisible: 200 } as const;

/** Before every link, and after. */
const first = { noteId: firstId, place: -1 } as const;
const last = { noteId: 'ffffffff-ffff-ffff-ffff-ffffffffffff', place: 2 ** 31 - 1 } as const;

/**
 * The last of the links that a page after a position examines; null: the last of all is among them. It goes out in a cursor, so
 * that it is a link of a note that the caller sees.
 */
export const findEndOfLinks = async (
  tx: CompanyTx,
  after: LinkPosition | null,
): Promise<LinkPosition | null> => {
  const { noteId, place } = after ?? first;
  const count = tx.folders === null ? examinedMax.ofAll : examinedMax.ofVisible;
  const [end = null] = await tx.query<LinkPosition>(
    `select l.source_id as "noteId", l.place from notes.note_links l
     where l.company_id = $1 and (l.source_id, l.place) > ($2, $3) ${ofVisibleNote(tx, 'l.source_id')}
     order by l.source_id, l.place
     offset $4 limit 1`,
    [tx.companyId, noteId, place, count - 1],
    nameFor(tx, 'notes.find-end-of-links'),
  );
  return end;
};

export type BrokenLinkRow = LinkPosition & {
  readonly noteTitle: string;
  readonly folder: string;
  readonly title: string;
};

export type BrokenLinkPage = {
  readonly after: LinkPosition | null;
  /** The last link to examine; null: all. */
  readonly until: LinkPosition | null;
  /** With its subfolders; empty: every folder. */
  readonly folder: string;
  readonly limit: number;
};

/**
 * A page of the links between two positions that lead to no note which the transaction sees. Each is looked up by itself,
 * whatever the statistics say: a join would read all titles of the company.
 */
export const listBrokenLinks = (
  tx: CompanyTx,
  { after, until, folder, limit }: BrokenLinkPage,
): Promise<BrokenLinkRow[]> =>
  tx.query<BrokenLinkRow>(
    `select l.source_id as "noteId", l.place, n.title as "noteTitle", n.folder,
       coalesce(l.title, l.target_id::text) as title
     from notes.note_links l
     join lateral (
       select n.title, n.folder, n.deleted_at, n.archived, n.conflict_of from notes.notes n
       where n.company_id = $1 and n.id = any (array[l.source_id])
       order by n.id
       limit 1
     ) n on n.deleted_at is null and not n.archived and n.conflict_of is null
     where l.company_id = $1
       and (l.source_id, l.place) > ($2::uuid, $3::int)
       and (l.source_id, l.place) <= ($4::uuid, $5::int)
       and ($6::text = '' or (n.folder || '/') ^@ ($6 || '/'))
       and (select e.note_id from notes.catalog_entries e
            where e.company_id = $1 and e.title_key = any (array[l.title_key])
            order by e.title_key
            limit 1) is null
       and (select e.note_id from notes.catalog_entries e
            where e.company_id = $1 and e.note_id = any (array[l.target_id])
            order by e.note_id
            limit 1) is null
     order by l.source_id, l.place
     limit $7`,
    [
      tx.companyId,
      ...[after ?? first, until ?? last].flatMap(({ noteId, place }) => [noteId, place]),
      folder,
      limit,
    ],
    'notes.list-broken-links',
  );
