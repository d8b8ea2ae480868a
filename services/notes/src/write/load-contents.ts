import type { CompanyTx } from '@commonplace/db';
import { storedBudget } from '../limits/stored-budget.ts';
import { listContents } from '../queries/notes.ts';
import { listVersions } from '../queries/versions.ts';
import { hasContent, type WritableNote } from '../queries/note-rows.ts';
import { notesOfChange, type WriteRequest, type SubmittedChange } from './change.ts';
import { assertTogether, mergeableOf, versionsInvolved, type Mergeable } from './prepare-merges.ts';
import type { VersionCache } from './version-cache.ts';

type Loading = {
  readonly requests: readonly WriteRequest[];
  readonly changes: readonly SubmittedChange[];
  /** Texts read before the lock; versions read here are added. */
  readonly texts: VersionCache;
};

/**
 * Completes notes that were read under the lock. Loads the content of large notes that a change needs, and merge
 * bases that were not needed before the lock. Deletions, replacements and conflicts need no content. Reads only
 * notes that changed since the optimistic merges, and notes that may equal what was sent.
 */
export const loadContents = async (
  tx: CompanyTx,
  read: readonly WritableNote[],
  { requests, changes, texts }: Loading,
): Promise<readonly WritableNote[]> => {
  const notes = read.map((note) => (hasContent(note) ? note : withKnown(note, texts)));
  const noteOf = new Map(notes.map((note) => [note.id, note]));
  const missing = versionsInvolved(requests).filter(
    (name) => !texts.find(name) && name.revision < (noteOf.get(name.id)?.revision ?? 0),
  );
  const isLarge = notes.some((note) => !hasContent(note));
  const wanted = isLarge ? notesToLoad({ requests, changes }, noteOf) : [];
  if (missing.length > 0) {
    const versions = await listVersions(tx, missing, storedBudget.transactionBytes);
    assertTogether(
      requests,
      versions.some(({ content }) => content === null),
    );
    texts.addRows(versions);
  }
  const fitting = takeWithinBytes(wanted, storedBudget.transactionBytes);
  assertTogether(requests, fitting.length < wanted.length);
  if (fitting.length === 0) {
    return notes;
  }
  const contents = await listContents(
    tx,
    fitting.map(({ id }) => id),
  );
  const loaded = new Map(contents.map(({ id, content }) => [id, content]));
  return notes.map((note) => ({ ...note, content: note.content ?? loaded.get(note.id) ?? null }));
};

/** Reuses a version that was read before the lock and is still the newest. */
const withKnown = (note: WritableNote, texts: VersionCache): WritableNote =>
  note.deletedAt === null ? { ...note, content: texts.find(note)?.content ?? null } : note;

/** The large notes that a change needs, the indispensable ones first. */
const notesToLoad = (
  { requests, changes }: Pick<Loading, 'requests' | 'changes'>,
  noteOf: ReadonlyMap<string, WritableNote>,
): WritableNote[] => {
  const notesOf = <Any extends SubmittedChange>(
    some: readonly Any[],
    isWanted: (change: Any, note: WritableNote) => boolean,
  ) =>
    some.flatMap((change) =>
      notesOfChange(change).flatMap((id) => {
        const note = noteOf.get(id);
        return note && !hasContent(note) && isWanted(change, note) ? [note] : [];
      }),
    );
  return [...new Set([...notesOf(changes, isNeeded), ...notesOf(mergeableOf(requests), isStale)])];
};

/** A deleted note is not edited. */
const isNeeded = (change: SubmittedChange, note: WritableNote): boolean =>
  change.rule === 'restore' ||
  change.rule === 'resolve' ||
  (change.rule === 'edit' ? note.deletedAt === null : mayBeEqual(change, note));

/** Only contents of equal size can be equal, so these notes are no larger than the request. */
const mayBeEqual = (change: SubmittedChange, { size }: WritableNote): boolean => {
  const sent =
    change.rule === 'put' ? change.fields : change.rule === 'unparsed_put' && change.note;
  const content = sent && typeof sent === 'object' && 'content' in sent ? sent.content : '';
  return typeof content === 'string' && Buffer.byteLength(content) === size;
};

/** The note changed since its merge was made. */
const isStale = ({ baseRevision }: Mergeable, { revision, deletedAt }: WritableNote): boolean =>
  baseRevision < revision && deletedAt === null;

/** As many leading notes as fit, at least one. */
const takeWithinBytes = (
  notes: readonly WritableNote[],
  bytesMax: number,
): readonly WritableNote[] => {
  let bytes = 0;
  const end = notes.findIndex(({ size }, index) => {
    bytes += size;
    return index > 0 && bytes > bytesMax;
  });
  return end < 0 ? notes : notes.slice(0, end);
};
