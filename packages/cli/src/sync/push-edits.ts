import type { Edit } from '@commonplace/client';
import { isRefusedDeletion, type DeletionRule } from './deletion-rule.ts';
import { assertUnreplaced, findMissing } from './find-missing.ts';
import type { Folder, WriteConstraints } from './folder.ts';
import { proposedCode, type SyncSummary } from './sync-summary.ts';
import { hashOfText, writeFolderState, type FileEntry } from './folder-state.ts';
import { fileOfNote, restoreInterrupted } from './restore-interrupted.ts';
import { replayJournal } from './write-journal.ts';
import { scanFolder, type FindNoteByText, type FileEdit, type FolderScan } from './scan-folder.ts';

type PushedEdits = {
  readonly constraints: WriteConstraints;
  /** Notes whose files were moved. */
  readonly movedIds: ReadonlySet<string>;
};

/** Stores the edits of the folder in the replica. Nothing is sent yet. */
export const pushEdits = async (
  folder: Folder,
  rule: DeletionRule,
  summary: SyncSummary,
): Promise<PushedEdits> => {
  const { paths, state, client } = folder;
  const all = state.files.size;
  await assertUnreplaced(folder);
  const aside = await restoreInterrupted(paths, (noteId) => fileOfNote(state.files, noteId));
  // What a synchronisation that failed has written is not the user's either.
  await replayJournal(paths, state);
  const scan = await scanFolder(paths.root, state, createNoteFinder(folder));
  const { edits } = scan;
  const { gone, kept, vanished, heldBack } = await findMissing(
    folder,
    { ...scan, aside },
    { rule, all, summary },
  );
  summary.discarded = findDiscarded(folder, vanished, rule);
  summary.missing = rule.mayDelete
    ? []
    : vanished.filter((path) => !summary.discarded.includes(path));
  const discardedIds = summary.discarded.flatMap((path) => state.files.get(path)?.noteId ?? []);
  const deletions = vanished.flatMap((path) => deletionOf(state.files, path, rule));
  // A new file gets its note's id before the note is created, or a crash in between would create it twice.
  // Its text counts as unread until the replica stores it, or such a crash would lose it.
  edits.forEach(({ path, entry, textHashBefore }) =>
    state.files.set(path, { ...entry, fileHash: null, textHash: textHashBefore }),
  );
  vanished.forEach((path) => state.files.delete(path));
  state.unread = gone.length > 0 ? state.unread : scan.unread;
  await writeFolderState(paths.state, state);
  await client.discardRejected(discardedIds);
  await client.edit([...edits.map((edit) => editOf(folder, edit)), ...deletions]);
  edits.forEach(({ path, entry }) => state.files.set(path, entry));
  await writeFolderState(paths.state, state);
  const moved = edits.filter(({ kind }) => kind === 'moved');
  return {
    constraints: writeConstraints(folder, scan, { kept: [...kept.keys(), ...heldBack], aside }),
    movedIds: new Set(moved.map(({ entry }) => entry.noteId)),
  };
};

const writeConstraints = (
  { state }: Folder,
  scan: FolderScan,
  { kept, aside }: { readonly kept: readonly string[]; readonly aside: ReadonlySet<string> },
): WriteConstraints => {
  const paths = [...scan.unread.map(({ path }) => path), ...kept];
  return {
    held: new Set([...aside, ...paths.flatMap((path) => state.files.get(path)?.noteId ?? [])]),
    names: scan.names,
    folders: scan.folders,
  };
};

/**
 * Deleted files whose proposals have ended without being accepted: without a rule to delete notes, it is the proposed text
 * that is to go, which the server still has. Not where so many files are missing that something else may have happened.
 */
const findDiscarded = (
  { client, state }: Folder,
  vanished: readonly string[],
  { mayDelete }: DeletionRule,
): string[] => {
  const amount = { gone: vanished.length, all: state.files.size };
  if (mayDelete || isRefusedDeletion(amount, { mayDelete: true, mayDeleteMany: false })) {
    return [];
  }
  return vanished.filter((path) => {
    const rejection = client.find(state.files.get(path)?.noteId ?? '')?.rejection;
    return rejection?.proposalId !== undefined && rejection.code !== proposedCode;
  });
};

const deletionOf = (
  files: ReadonlyMap<string, FileEntry>,
  path: string,
  { mayDelete }: DeletionRule,
): Edit[] => {
  const entry = files.get(path);
  return mayDelete && entry ? [{ id: entry.noteId, text: null, origin: entry.origin }] : [];
};

/**
 * The origin in the state is outdated when a crash came between the server's response and the next write
 * of the state. If the file's previous text equals the note's current one, the note's origin is the base.
 */
const editOf = ({ client }: Folder, { entry, text, textHashBefore }: FileEdit): Edit => {
  const note = client.find(entry.noteId);
  const isCurrent = note !== null && textHashBefore === hashOfText(note.text);
  return { id: entry.noteId, text, origin: isCurrent ? note.origin : entry.origin };
};

/** A folder that lost its state finds the notes of its files by their text. */
const createNoteFinder = ({ client, state }: Folder): FindNoteByText => {
  const claimed = new Set([...state.files.values()].map(({ noteId }) => noteId));
  let unclaimed: Map<string, ReturnType<FindNoteByText>> | null = null;
  return (textHash) => {
    unclaimed ??= new Map(
      client
        .notes()
        .filter(({ id }) => !claimed.has(id))
        .map(({ id, text, origin }) => [hashOfText(text), { noteId: id, origin }]),
    );
    const found = unclaimed.get(textHash) ?? null;
    unclaimed.delete(textHash);
    return found;
  };
};
