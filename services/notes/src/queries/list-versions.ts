import type { NoteId } from '@commonplace/contracts/core';
import type { CompanyTx } from '@commonplace/db';
import { revisionSummaryColumns, type RevisionRow } from './revision-row.ts';

/** Names one version of one note. */
export type VersionName = { readonly id: NoteId; readonly revision: number };

/** A version whose content was left out, if it is null. */
export type VersionOrSummary = Omit<RevisionRow, 'content'> & { readonly content: string | null };

/**
 * Those of the named versions that are stored, deletions included, in the order of their names. The content of
 * what is beyond `bytesMax` is not even read; that of the first always is.
 */
export const listVersions = (
  tx: CompanyTx,
  names: readonly VersionName[],
  bytesMax: number,
): Promise<VersionOrSummary[]> =>
  tx.query<VersionOrSummary>(
    `select ${revisionSummaryColumns}, v.properties,
       case when v.bytes <= $4 or v.bytes = v.size then v.content end as content
     from (
       select v.*, sum(v.size) over (order by w.place rows unbounded preceding) as bytes
       from unnest($2::uuid[], $3::integer[]) with ordinality as w (id, revision, place)
       join notes.note_revisions v
         on v.company_id = $1 and v.note_id = w.id and v.revision = w.revision
     ) v
     order by v.bytes`,
    [tx.companyId, names.map(({ id }) => id), names.map(({ revision }) => revision), bytesMax],
    'notes: list versions',
  );
