import type { NoteId } from '@commonplace/contracts/core';
import type { CompanyTx } from '@commonplace/db';
import { revisionColumns, type RevisionRow } from './revision-row.ts';

/** Names one version of one note. */
export type VersionName = { readonly id: NoteId; readonly revision: number };

/** Those of the named versions that are stored, deletions included. */
export const listVersions = (
  tx: CompanyTx,
  names: readonly VersionName[],
): Promise<RevisionRow[]> =>
  tx.query<RevisionRow>(
    `select ${revisionColumns}
     from unnest($2::uuid[], $3::integer[]) as w (id, revision)
     join notes.note_revisions v
       on v.company_id = $1 and v.note_id = w.id and v.revision = w.revision`,
    [tx.companyId, names.map(({ id }) => id), names.map(({ revision }) => revision)],
    'notes: list versions',
  );
