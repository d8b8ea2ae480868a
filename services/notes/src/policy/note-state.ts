import type { NoteId } from '@commonplace/contracts/core';
import type { NoteFields } from '@commonplace/contracts/notes';
import { canonicalJson } from '../merge/canonical-json.ts';

/** What the rules need to know of a stored note. */
export type NoteState = NoteFields & {
  readonly id: NoteId;
  readonly revision: number;
  readonly deletedAt: Date | null;
};

export const isLiving = (note: NoteState | null): note is NoteState =>
  note !== null && note.deletedAt === null;

/** Equal in everything a client can write. */
export const isSameNote = (a: NoteFields, b: NoteFields): boolean =>
  a.content === b.content &&
  a.title === b.title &&
  a.folder === b.folder &&
  a.pinned === b.pinned &&
  a.archived === b.archived &&
  a.tags.length === b.tags.length &&
  a.tags.every((tag, index) => tag === b.tags[index]) &&
  canonicalJson(a.properties) === canonicalJson(b.properties);
