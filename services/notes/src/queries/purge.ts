import type { CompanyId } from '@commonplace/contracts/core';
import type { GlobalTx, CompanyTx } from '@commonplace/db';

/** Older data is purged. */
export type PurgeLimits = {
  readonly tombstones: Date;
  readonly mutations: Date;
  readonly jobs: Date;
};

/** The companies with data to purge. */
export const listCompaniesToPurge = async (
  tx: GlobalTx,
  { tombstones, mutations, jobs }: PurgeLimits,
): Promise<CompanyId[]> => {
  const rows = await tx.query<{ id: CompanyId }>(
    'select c.id from notes.companies_to_purge($1, $2, $3) as c (id)',
    [tombstones, mutations, jobs],
  );
  return rows.map(({ id }) => id);
};

/** Deletes jobs that finished before a time, with their queue entries; returns how many. */
export const deleteJobs = async (tx: CompanyTx, { before, limit }: PurgeBatch): Promise<number> => {
  const [row] = await tx.query<{ count: number }>(
    `with old as (
       select j.id from notes.jobs j
       where j.company_id = $1 and j.finished_at < $2
       limit $3
       for update skip locked
     ), gone as (
       delete from notes.jobs j using old where j.company_id = $1 and j.id = old.id
       returning j.id
     ), queued as (
       delete from notes.job_queue q using gone where q.company_id = $1 and q.id = gone.id
     )
     select count(*)::integer as count from gone`,
    [tx.companyId, before, limit],
  );
  return row?.count ?? 0;
};

/**
 * Deletes old versions, with the proposals that they came from; returns how many. Keeps the newest version of a note,
 * and all versions of a note with an active conflict copy: they show how the conflict arose. Deletes those of a note
 * from the first on and none behind one that is kept, also beside another purge: the text of a version may be stored
 * with a later one.
 */
export const deleteRevisions = async (
  tx: CompanyTx,
  { before, limit }: PurgeBatch,
): Promise<number> => {
  const [row] = await tx.query<{ count: number }>(
    `with old as (
       select v.note_id, v.revision from notes.note_revisions v
       where v.company_id = $1 and v.created_at < $2
         and exists (
           select from notes.note_revisions w
           where w.company_id = $1 and w.note_id = v.note_id and w.revision > v.revision
         )
         and not exists (
           select from notes.notes c
           where c.company_id = $1 and c.conflict_of = v.note_id and c.deleted_at is null
         )
         and not exists (
           select from notes.note_revisions e
           where e.company_id = $1 and e.note_id = v.note_id and e.revision < v.revision
             and e.created_at >= $2
         )
       order by v.note_id, v.revision
       limit $3
       for update
     ), gone as (
       delete from notes.note_revisions v using old
       where v.company_id = $1 and v.note_id = old.note_id and v.revision = old.revision
       returning v.note_id, v.revision
     ), proposals as (
       delete from notes.proposals p using gone
       where p.company_id = $1 and p.note_id = gone.note_id and p.revision = gone.revision
     )
     select count(*)::integer as count from gone`,
    [tx.companyId, before, limit],
  );
  return row?.count ?? 0;
};

export type PurgeBatch = { readonly before: Date; readonly limit: number };

/**
 * Deletes the oldest tombstones; returns how many. Raises the floor of the feed to them, because an older cursor
 * may have missed their deletion. Keeps the revisions.
 *
 * The caller holds the lock of the feed, taken by an earlier statement: in an older snapshot a note that was
 * just restored would still be deleted.
 */
export const deleteTombstones = async (
  tx: CompanyTx,
  { before, limit }: PurgeBatch,
): Promise<number> => {
  const [row] = await tx.query<{ count: number }>(
    `with old as (
       select n.id from notes.notes n
       where n.company_id = $1 and n.deleted_at < $2
       order by n.deleted_at
       limit $3
     ), gone as (
       delete from notes.notes n using old
       where n.company_id = $1 and n.id = old.id
       returning n.id, n.revision, n.change_no
     ), search as (
       delete from notes.note_search s using gone
       where s.company_id = $1 and s.note_id = gone.id
     ), embeddings as (
       delete from notes.note_embeddings e using gone
       where e.company_id = $1 and e.note_id = gone.id
     ), titles as (
       delete from notes.former_titles t using gone
       where t.company_id = $1 and t.note_id = gone.id
     ), purged as (
       insert into notes.purged_notes as p (company_id, note_id, revision)
       select $1, gone.id, gone.revision from gone
       on conflict (company_id, note_id) do update set revision = excluded.revision
     ), moved as (
       update notes.company_feed f set floor = greatest(f.floor, g.last)
       from (select max(change_no) as last from gone) g
       where f.company_id = $1 and g.last is not null
     )
     select count(*)::integer as count from gone`,
    [tx.companyId, before, limit],
  );
  return row?.count ?? 0;
};

/** The words of the tombstones that `deleteTombstones` deletes next. */
export const listWordsOfTombstones = async (
  tx: CompanyTx,
  { before, limit, wordsMax }: PurgeBatch & { readonly wordsMax: number },
): Promise<string[]> => {
  const rows = await tx.query<{ word: string }>(
    `select distinct substr(t.term, 7) as word
     from (
       select n.id from notes.notes n
       where n.company_id = $1 and n.deleted_at < $2
       order by n.deleted_at
       limit $3
     ) old
     join notes.note_search s on s.company_id = $1 and s.note_id = old.id
     cross join lateral unnest(tsvector_to_array(s.document)) as t (term)
     limit $4`,
    [tx.companyId, before, limit, wordsMax],
  );
  return rows.map(({ word }) => word);
};

/** Deletes what was left of purged notes that were written again since, with higher revisions; returns how many. */
export const deleteReturnedNotes = async (
  tx: CompanyTx,
  { limit }: PurgeBatch,
): Promise<number> => {
  const [row] = await tx.query<{ count: number }>(
    `with returned as (
       select p.note_id from notes.purged_notes p
       join notes.notes n on n.company_id = $1 and n.id = p.note_id and n.revision > p.revision
       where p.company_id = $1
       limit $2
     ), gone as (
       delete from notes.purged_notes p using returned r
       where p.company_id = $1 and p.note_id = r.note_id
       returning 1
     )
     select count(*)::integer as count from gone`,
    [tx.companyId, limit],
  );
  return row?.count ?? 0;
};
