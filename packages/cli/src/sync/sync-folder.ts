import type { SyncOptions } from '@commonplace/client';
import { newTally, type Folder, type Tally } from './folder.ts';
import { writeFolderState } from './folder-state.ts';
import { sendEdits, type DeletionRule } from './send-edits.ts';
import { writeNotes } from './write-notes.ts';
import { dropPlan } from './write-plan.ts';

const incomplete =
  "after a full pull the notes here still differ from the server's digest; run the sync again, and tell the operators of the server if this stays";

/** How one look at both sides behaves. */
type LookOptions = SyncOptions & DeletionRule;

/** Looks at both sides again and again; each look leaves them equal, but for what changed meanwhile. */
export type FolderSync = (options: LookOptions) => Promise<Tally>;

/**
 * Keeps a folder in step: what was done to files goes to the server, and what the server has comes
 * into the files. The first look of a process compares every file with its note.
 */
export const openFolderSync = (folder: Folder): FolderSync => {
  const { client, state, paths } = folder;
  let unwritten = new Set<string>();
  let isFirst = true;
  return async (options) => {
    const tally = newTally();
    if (isFirst && state.files.size === 0) {
      // Files that are there already may be the notes of this very company.
      await client.synchronise(options);
    }
    const look = await sendEdits(folder, options, tally);
    const report = await client.synchronise(options);
    if (!report.isComplete) {
      tally.problems.push({ path: '.', problem: incomplete });
    }
    const ids = new Set([
      ...report.events.map(({ id }) => id),
      ...report.pulledIds,
      ...unwritten,
      ...(isFirst || tally.missing.length > 0 ? client.notes().map(({ id }) => id) : []),
      ...(isFirst ? [...state.files.values()].map(({ noteId }) => noteId) : []),
    ]);
    unwritten = await writeNotes(folder, ids, { report, tally, look });
    isFirst = false;
    await writeFolderState(paths.state, state);
    await dropPlan(paths);
    tally.merged = report.events.filter(({ status }) => status === 'merged').length;
    tally.conflicts = report.events.flatMap(({ status, id }) =>
      status === 'conflict' ? [pathOfNote(folder, id)] : [],
    );
    return tally;
  };
};

const pathOfNote = ({ state }: Folder, id: string): string =>
  [...state.files].find(([, { noteId }]) => noteId === id)?.[0] ?? id;
