import type { NoteId } from '@commonplace/contracts/core';
import type { CompanyTx } from '@commonplace/db';
import type { VersionName } from './list-versions.ts';

/** A note that has moved on from the version somebody changed; `bytes` is the content of both versions. */
export type MovedNote = {
  readonly id: NoteId;
  readonly base: number;
  readonly now: number;
  readonly bytes: number;
};

/** Those of the named versions that are kept and no longer the newest of their living note. */
export const listMovedNotes = (
  tx: CompanyTx,
  names: readonly VersionName[],
): Promise<MovedNote[]> =>
  tx.query<MovedNote>(
    `select n.id, w.revision as base, n.revision as now, n.size + v.size as bytes
     from unnest($2::uuid[], $3::integer[]) as w (id, revision)
     cross join lateral (
       select n.id, n.revision, n.size from notes.notes n
       where n.company_id = $1 and n.id = any (array[w.id])
         and n.revision > w.revision and n.deleted_at is null
       order by n.id
     ) n
     cross join lateral (
       select v.size from notes.note_revisions v
       where v.company_id = $1 and v.note_id = n.id and v.revision = any (array[w.revision])
       order by v.revision
     ) v`,
    [tx.companyId, names.map(({ id }) => id), names.map(({ revision }) => revision)],
    'notes: list moved notes',
  );
