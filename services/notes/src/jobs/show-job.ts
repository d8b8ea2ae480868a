import { canReadIn, type HeldGrants, type NoteId } from '@commonplace/contracts/core';
import type { NoteOrSummary, SyncChangeResult, SyncResult } from '@commonplace/contracts/notes';
import { read, type Db } from '@commonplace/db';
import type { CompanyScope } from '@commonplace/http';
import type { JobRow } from '../queries/jobs.ts';
import { listNoteFolders } from '../queries/notes.ts';

/**
 * A job as its caller may see it now. What is stored was read with the grants of its time: the notes in it that are not
 * visible today, or were not in a folder that is granted today, are left out.
 */
export const showJob = async (
  db: Db,
  { id: companyId, grants }: Pick<CompanyScope, 'id' | 'grants'>,
  job: JobRow,
): Promise<JobRow> => {
  if (grants === null || job.result === null) {
    return job;
  }
  const ids = [...new Set(notesIn(job.result))];
  // Of the company as a whole: a note that was purged has no folder, and hides nothing.
  const rows = await read(db, companyId, (tx) => listNoteFolders(tx, ids));
  const hidden = rows.flatMap(({ id, folder }) => (canReadIn(grants, folder) ? [] : [id]));
  return { ...job, result: withoutHidden(job.result, { grants, hidden: new Set(hidden) }) };
};

const notesIn = ({ results, changes }: SyncResult): NoteId[] => [
  ...results.map(({ id }) => id),
  ...changes.map(({ id }) => id),
];

type Hiding = { readonly grants: HeldGrants; readonly hidden: ReadonlySet<NoteId> };

const withoutHidden = (result: SyncResult, hiding: Hiding): SyncResult => {
  const { integrity: _ofAllNotes, ...rest } = result;
  const changes = result.changes.filter((note) => isShown(note, hiding));
  return {
    ...rest,
    results: result.results.map((each) => withoutHiddenNote(each, hiding)),
    changes,
    counts: { ...result.counts, returned: changes.length },
  };
};

const withoutHiddenNote = (
  { note, ...outcome }: SyncChangeResult,
  hiding: Hiding,
): SyncChangeResult => (note && isShown(note, hiding) ? { ...outcome, note } : outcome);

/** A removal of a note that had left the folders shows what the note was before. */
const isShown = (
  { id, folder, reason }: Pick<NoteOrSummary, 'id' | 'folder' | 'reason'>,
  { grants, hidden }: Hiding,
): boolean => canReadIn(grants, folder) && (reason === 'not_granted' || !hidden.has(id));
