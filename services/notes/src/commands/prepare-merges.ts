import type { CompanyId } from '@commonplace/contracts/core';
import type { NoteFields } from '@commonplace/contracts/notes';
import { readInCompany, readInIndexOrder, type Db } from '@commonplace/db';
import { mergeNote } from '../merge/merge-note.ts';
import type { NoteState } from '../policy/note-state.ts';
import { listMovedNotes } from '../queries/list-moved-notes.ts';
import { listVersions, type VersionName } from '../queries/list-versions.ts';
import type { SentPut, SubmittedChange, SyncPutChange } from './change.ts';
import type { ReadPut } from './read-put.ts';
import { createVersionTexts, type VersionTexts } from './version-texts.ts';

/** Merges made before the lock, and the texts they were made of. */
export type PreparedMerges = {
  readonly texts: VersionTexts;
  /** As `mergeNote`; a merge of the same base and the same version of the note is not made twice. */
  readonly merge: (change: SyncPutChange, base: NoteFields, now: NoteState) => NoteFields | null;
};

/**
 * Merges optimistically, without any lock, whatever has moved on since its client read it. Under the
 * lock only what moved again in between is merged once more.
 */
export const prepareMerges = async (
  db: Db,
  companyId: CompanyId,
  { changes, readPut }: Preparing,
): Promise<PreparedMerges> => {
  const texts = createVersionTexts();
  const made = new Map<
    SyncPutChange,
    { base: NoteFields; revision: number; merged: NoteFields | null }
  >();
  const candidates = changes.filter(mayMerge);
  const restored = changes.filter((change) => change.rule === 'restore').flatMap(versionToRestore);
  const moved =
    candidates.length === 0
      ? []
      : await readInIndexOrder(db, companyId, (tx) => listMovedNotes(tx, candidates.map(baseOf)));
  const names = [
    ...restored,
    ...moved.flatMap(({ id, base, now }) => [
      { id, revision: base },
      { id, revision: now },
    ]),
  ];
  if (names.length > 0) {
    texts.addRows(await readInCompany(db, companyId, (tx) => listVersions(tx, names)));
  }
  const revisionOf = new Map(moved.map(({ id, now }) => [id, now]));
  for (const change of candidates) {
    const revision = revisionOf.get(change.id) ?? 0;
    const base = texts.find(baseOf(change));
    const now = texts.find({ id: change.id, revision });
    const put = base && now ? readPut(change) : null;
    if (base && now && put && 'fields' in put) {
      made.set(put, { base, revision, merged: mergeNote(base, now, put.fields) });
    }
  }
  return {
    texts,
    merge: (change, base, now) => {
      const known = made.get(change);
      return known && known.base === base && known.revision === now.revision
        ? known.merged
        : mergeNote(base, now, change.fields);
    },
  };
};

type Preparing = { readonly changes: readonly SubmittedChange[]; readonly readPut: ReadPut };

/** The versions that changes are based on or bring back: their texts may be needed under the lock. */
export const versionsInvolved = (changes: readonly SubmittedChange[]): VersionName[] =>
  changes.flatMap((change) => {
    if (change.rule === 'restore') {
      return versionToRestore(change);
    }
    return mayMerge(change) ? [baseOf(change)] : [];
  });

type Mergeable = SentPut & { readonly baseRevision: number };

const mayMerge = (change: SubmittedChange): change is Mergeable =>
  change.rule === 'sent_put' && change.onConflict === 'merge' && change.baseRevision !== null;

const baseOf = (change: Mergeable): VersionName => ({
  id: change.id,
  revision: change.baseRevision,
});

const versionToRestore = ({ id, revision }: VersionToRestore): VersionName[] =>
  revision === null ? [] : [{ id, revision }];

type VersionToRestore = { readonly id: VersionName['id']; readonly revision: number | null };
