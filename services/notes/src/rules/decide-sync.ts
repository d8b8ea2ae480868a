import type { NoteFields, OnConflict } from '@commonplace/contracts/notes';
import { applied, conflict, unchanged, type Decision } from './decision.ts';
import { isActive, isSameNote, type NoteState } from './note-state.ts';

/** The version a change is based on. */
export type Base = {
  /** The revision the client changed; null: none that is stored. */
  readonly revision: number | null;
  /** The fields the client changed; null: not known. */
  readonly fields: NoteFields | null;
};

/** The versions of a note that undos took out. */
export type UndoneVersions = readonly { readonly from: number; readonly to: number }[];

/** Whether a change is based on a version that an undo took out since. */
const isUndone = ({ revision }: Pick<Base, 'revision'>, undone: UndoneVersions): boolean =>
  revision !== null && undone.some(({ from, to }) => from <= revision && revision <= to);

export type SyncPut = {
  readonly fields: NoteFields;
  /** As the client sent it. */
  readonly baseRevision: number | null;
  readonly base: Base;
  readonly onConflict: OnConflict;
  /** Absent: none. */
  readonly undone?: UndoneVersions;
};

/** The common ancestor for the merge of a put; null: no merge is needed. */
export const baseToMerge = (now: NoteState | null, put: Omit<SyncPut, 'baseRevision'>) => {
  const { base, fields, onConflict, undone = [] } = put;
  const isBehind = isActive(now) && base.revision !== now.revision;
  const isMergeable = isBehind && onConflict === 'merge' && !isUndone(base, undone);
  return isMergeable && !isSameNote(now, fields) ? base.fields : null;
};

/**
 * Decides a `put` by the table of outcomes (docs/contract.md, Synchronisation). `merged` is its merge with the note, if it needs
 * one; null: both sides are kept.
 */
export const decideSyncPut = (
  now: NoteState | null,
  put: SyncPut,
  merged: NoteFields | null,
): Decision => {
  const { fields, base, onConflict, undone = [] } = put;
  if (isUndone(base, undone) && !isActive(now)) {
    return conflict(onConflict === 'reject' ? null : fields);
  }
  if (now === null) {
    const revision = Math.max(1, (put.baseRevision ?? 0) + 1);
    return applied('applied', { fields, revision });
  }
  const revision = now.revision + 1;
  if (!isActive(now)) {
    return applied('restored', { fields, revision });
  }
  if (isSameNote(now, fields)) {
    return unchanged;
  }
  if (base.revision === now.revision) {
    return applied('applied', { fields, revision });
  }
  if (merged) {
    return applied('merged', { fields: merged, revision });
  }
  return conflict(onConflict === 'reject' ? null : fields);
};

/** Decides a `delete` by the table of outcomes: only a version the client has seen is deleted. */
export const decideSyncDelete = (now: NoteState | null, base: Pick<Base, 'revision'>): Decision => {
  if (!isActive(now)) {
    return unchanged;
  }
  return base.revision === now.revision
    ? applied('applied', { fields: null, revision: now.revision + 1 })
    : conflict(null);
};
