import type { NoteText, SyncOptions, SyncReport } from '@commonplace/client';
import { countSent } from './count-sent.ts';
import type { Folder } from './folder.ts';
import { emptySummary, proposedCode, type SyncSummary } from './sync-summary.ts';
import { assertSameFolder } from './folder-identity.ts';
import { writeFolderState } from './folder-state.ts';
import type { DeletionRule } from './deletion-rule.ts';
import { assertUnreplaced } from './find-missing.ts';
import { pushEdits } from './push-edits.ts';
import { writeNotes } from './write-notes.ts';
import { clearJournal } from './write-journal.ts';

const incomplete =
  "after a full pull the notes still differ from the server's digest; run the sync again, and report it to the server's operators if it persists";

/** Options of one synchronisation. */
type FolderSyncOptions = SyncOptions & DeletionRule;

/** Synchronises once. Both sides are then equal, except for changes made meanwhile. */
export type FolderSync = (options: FolderSyncOptions) => Promise<SyncSummary>;

/**
 * Prepares the synchronisation of a folder: edits of files are sent to the server, and changes of notes are
 * written to files. The first synchronisation of a process compares every file with its note, and so does the one after a
 * failure: what was received until then is stored, and brought by no later pull.
 */
export const openFolderSync = (folder: Folder): FolderSync => {
  const { client, state, paths } = folder;
  let unwritten = new Set<string>();
  let isInterrupted = true;
  /** What was received since files were written: a run may fail before it does that. */
  let received: SyncReport | null = null;
  const receive = async (options: SyncOptions): Promise<SyncReport> => {
    received = withEarlier(received, await client.synchronise(options));
    return received;
  };
  return async (options) => {
    const summary = emptySummary();
    const comparesAll = isInterrupted;
    isInterrupted = true;
    if (receivesFirst(folder, comparesAll)) {
      await assertUnreplaced(folder);
      await receive(options);
    }
    const { constraints, movedIds } = await pushEdits(folder, options, summary);
    const report = await receive(options);
    summary.isServerRestored = report.isServerRestored;
    if (!report.isComplete) {
      summary.problems.push({ path: '.', problem: incomplete });
    }
    const ids = new Set([
      ...report.events.map(({ id }) => id),
      ...report.pulledIds,
      ...unwritten,
      ...(comparesAll || summary.missing.length + summary.discarded.length > 0
        ? client.notes().map(({ id }) => id)
        : []),
      ...(comparesAll ? [...state.files.values()].map(({ noteId }) => noteId) : []),
    ]);
    const withdrawn = client.withdrawnIds();
    withdrawn.forEach((id) => ids.add(id));
    await assertSameFolder(paths, folder.identity);
    listPending(folder, report, summary);
    received = null;
    unwritten = await writeNotes(folder, ids, { report, summary, constraints });
    listRefusedDeletions(folder, report, summary);
    await writeFolderState(paths.state, state);
    await clearJournal(paths);
    await client.forgetWithdrawn(withdrawn.filter((id) => !unwritten.has(id)));
    isInterrupted = false;
    countSent(summary, report, movedIds);
    summary.conflicts = report.events.flatMap(({ status, id }) =>
      status === 'conflict' ? [pathOfNote(folder, id)] : [],
    );
    return summary;
  };
};

/**
 * Whether to receive before the files are read, because that says what they are: existing files may already be notes of this
 * company, which are then found by their text; and a proposal that was accepted is the base of an edit of its file.
 */
const receivesFirst = ({ client, state }: Folder, comparesAll: boolean): boolean =>
  (comparesAll && state.files.size === 0) ||
  client.pending().some(({ rejection }) => rejection?.code === proposedCode);

const withEarlier = (earlier: SyncReport | null, report: SyncReport): SyncReport =>
  earlier
    ? {
        ...report,
        events: [...earlier.events, ...report.events],
        pulledIds: [...earlier.pulledIds, ...report.pulledIds],
        isServerRestored: earlier.isServerRestored || report.isServerRestored,
      }
    : report;

/**
 * Adds edits that the server does not take to the summary of every run: they stay in the folder. Proposals have a
 * list of their own.
 */
const listPending = (
  folder: Folder,
  { sendRefusal }: Pick<SyncReport, 'sendRefusal'>,
  summary: Pick<SyncSummary, 'problems' | 'proposed'>,
): void => {
  const pathOf = new Map([...folder.state.files].map(([path, { noteId }]) => [noteId, path]));
  for (const { id, text, rejection } of folder.client.pending()) {
    const path = pathOf.get(id) ?? (text ? nameOf(text) : id);
    const reason = rejection?.detail ?? sendRefusal;
    if (rejection?.code === proposedCode) {
      summary.proposed.push(path);
    } else if (reason !== null) {
      const problem =
        rejection?.proposalId === undefined
          ? `not sent: ${reason}`
          : `not applied: ${reason} (edit the file to propose it again; delete it to discard the text)`;
      summary.problems.push({ path, problem });
    }
  }
};

/** Adds deletions that the server refused: unlike refused edits they leave nothing to send, and their files are restored. */
const listRefusedDeletions = (
  folder: Folder,
  { events }: Pick<SyncReport, 'events'>,
  { problems }: Pick<SyncSummary, 'problems'>,
): void => {
  const pending = new Set(folder.client.pending().map(({ id }) => id));
  for (const { id, status, isDeletion, error } of events) {
    if (isDeletion && status === 'rejected' && !pending.has(id)) {
      const problem = `not deleted: ${error?.detail ?? 'the server refused it'}`;
      problems.push({ path: pathOfNote(folder, id), problem });
    }
  }
};

/** The file of a note; of one without a file, its name. */
const pathOfNote = ({ state, client }: Folder, id: string): string => {
  const path = [...state.files].find(([, { noteId }]) => noteId === id)?.[0];
  const note = path === undefined ? client.find(id) : null;
  return path ?? (note ? nameOf(note.text) : id);
};

const nameOf = ({ folder, title }: NoteText): string => [folder, title].filter(Boolean).join('/');
