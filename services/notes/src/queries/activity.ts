import type { NoteId } from '@commonplace/contracts/core';
import type { CompanyTx } from '@commonplace/db';
import { binder, type Bind } from './note-filters.ts';
import type { AuthorKind, Via } from './note-rows.ts';
import { byProposal, type ByProposal } from './versions.ts';
import { ofVisibleNote } from './visible-notes.ts';

/** A version in the list of activity. */
export type ActivityRow = ByProposal & {
  readonly noteId: NoteId;
  readonly title: string;
  readonly folder: string;
  /** Title and folder of the version before; null: not stored. */
  readonly titleBefore: string | null;
  readonly folderBefore: string | null;
  readonly revision: number;
  readonly deleted: boolean;
  readonly size: number;
  /** The size of the version before; null: not stored. */
  readonly sizeBefore: number | null;
  readonly createdAt: Date;
  readonly createdByKind: AuthorKind;
  readonly createdById: string;
  readonly createdByRunId: string | null;
  readonly createdByKeyId: string | null;
  readonly createdByConnectionId: string | null;
  readonly via: Via | null;
  /** Whether the filters match; the last scanned version is listed in any case. */
  readonly isWanted: boolean;
  /** Its number among the scanned versions, from 1. */
  readonly place: number;
};

/** Time, note and revision of the last version of the page before. */
type ActivityPosition = readonly [at: Date, noteId: string, revision: number];

export type ActivityPage = {
  readonly since: Date | null;
  /** Only versions after this change number; those of earlier releases have none. */
  readonly sinceChange: number | null;
  readonly until: Date | null;
  readonly author: string | null;
  readonly exceptAuthor: string | null;
  readonly runId: string | null;
  readonly keyId: string | null;
  readonly connectionId: string | null;
  readonly after: ActivityPosition | null;
  readonly limit: number;
  /** The limit of versions to look at, so that a rare author costs no walk over all. */
  readonly scannedMax: number;
};

/** The range of a page; runs and keys have indexes of their own. */
const rangeOf = (page: ActivityPage, bind: Bind): string => {
  const { since, sinceChange, until, after, runId, keyId, connectionId } = page;
  return [
    'v.company_id = $1',
    ...(runId === null ? [] : [`v.created_by_run_id = ${bind(runId)}::uuid`]),
    ...(keyId === null ? [] : [`v.created_by_key_id = ${bind(keyId)}::uuid`]),
    ...(connectionId === null ? [] : [`v.created_by_connection_id = ${bind(connectionId)}::uuid`]),
    ...(since ? [`v.created_at >= ${bind(since)}::timestamptz`] : []),
    ...(sinceChange === null
      ? []
      : [`(v.change_no > ${bind(sinceChange)}::bigint or v.change_no is null)`]),
    ...(until ? [`v.created_at < ${bind(until)}::timestamptz`] : []),
    ...(after
      ? [
          `(v.created_at, v.note_id, v.revision) < (${bind(after[0])}::timestamptz,
            ${bind(after[1])}::uuid, ${bind(after[2])}::integer)`,
        ]
      : []),
  ].join(' and ');
};

/** What of the range is listed. */
const filterOf = ({ author, exceptAuthor }: ActivityPage, bind: Bind): string =>
  [
    'true',
    ...(author === null ? [] : [`v.created_by_id = ${bind(author)}::uuid`]),
    ...(exceptAuthor === null
      ? []
      : [
          `(v.created_by_id <> ${bind(exceptAuthor)}::uuid or exists (
            select from notes.proposals p
            where p.company_id = $1 and p.note_id = v.note_id and p.revision = v.revision))`,
        ]),
  ].join(' and ');

/** The versions of a company by time, newest first, by keyset pagination. */
export const listActivity = (tx: CompanyTx, page: ActivityPage): Promise<ActivityRow[]> => {
  const { bind, values } = binder();
  bind(tx.companyId);
  const [range, filter] = [rangeOf(page, bind), filterOf(page, bind)];
  const order = 'created_at desc, note_id desc, revision desc';
  const scannedMax = bind(page.scannedMax);
  return tx.query<ActivityRow>(
    `select s.note_id as "noteId", s.title, s.folder, s.revision, s.deleted, s.size,
       p.size as "sizeBefore", p.title as "titleBefore", p.folder as "folderBefore",
       s.created_at as "createdAt", s.created_by_kind as "createdByKind",
       s.created_by_id as "createdById", s.created_by_run_id as "createdByRunId",
       s.created_by_key_id as "createdByKeyId",
       s.created_by_connection_id as "createdByConnectionId", s.via, ${byProposal('s')},
       s.is_wanted as "isWanted", s.place::integer as place
     from (
       select v.note_id, v.title, v.folder, v.revision, v.deleted, v.size, v.created_at, v.created_by_kind,
         v.created_by_id, v.created_by_run_id, v.created_by_key_id, v.created_by_connection_id, v.via, ${filter} as is_wanted,
         row_number() over (order by v.created_at desc, v.note_id desc, v.revision desc) as place
       from notes.note_revisions v
       where ${range} ${ofVisibleNote(tx, 'v.note_id')}
       order by ${order}
       limit ${scannedMax}
     ) s
     left join lateral (
       select p.size, p.title, p.folder from notes.note_revisions p
       where p.company_id = $1 and p.note_id = s.note_id
         and p.revision = any (array[s.revision - 1])
       order by p.revision
     ) p on true
     where s.is_wanted or s.place = ${scannedMax}
     order by s.place
     limit ${bind(page.limit)}`,
    values,
  );
};
