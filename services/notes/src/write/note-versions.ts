import type { CompanyId, NoteId } from '@commonplace/contracts/core';
import type { Author, NoteFields } from '@commonplace/contracts/notes';
import type { NextVersion } from '../rules/decision.ts';
import { sentByOf } from '../rules/sent-by.ts';
import { snippetOf } from '../rules/snippet.ts';
import type { StoredNote, WritableNote } from '../queries/note-rows.ts';

/** Author, time and change number of a version. */
export type VersionStamp = {
  readonly author: Author;
  readonly at: Date;
  readonly changeNo: number;
  /** The client that sent the version exactly as it is stored; null: none. */
  readonly clientId: string | null;
};

/** The identity of a note that does not exist yet. */
export type NewNote = {
  readonly id: NoteId;
  readonly companyId: CompanyId;
  readonly conflictOf: NoteId | null;
};

/** The first version of a note, which has its own text. */
export const firstVersion = (
  note: NewNote,
  { fields, revision }: { readonly fields: NoteFields; readonly revision: number },
  stamp: VersionStamp,
): WritableNote => ({
  ...note,
  ...contentOf(fields),
  revision,
  createdAt: stamp.at,
  createdByKind: stamp.author.kind,
  createdById: stamp.author.id,
  createdByRunId: stamp.author.runId ?? null,
  ...updateOf(stamp),
  sentBy: sentBy(revision, stamp),
  deletedAt: null,
  textsFrom: null,
});

/** The version after this one. A tombstone keeps its text, so that it can be restored. */
export const nextVersion = (
  before: WritableNote,
  { textsFrom, ...next }: NextVersion & Pick<WritableNote, 'textsFrom'>,
  stamp: VersionStamp,
): WritableNote => ({
  ...before,
  ...(next.fields ? contentOf(next.fields) : {}),
  revision: next.revision,
  ...updateOf(stamp),
  sentBy: sentBy(next.revision, stamp),
  deletedAt: next.fields ? null : stamp.at,
  textsFrom,
});

/** The writable fields and what is derived from them, nothing else. */
const contentOf = (fields: NoteFields) => {
  const { title, content, folder, tags, pinned, archived, properties } = fields;
  const size = Buffer.byteLength(content);
  const snippet = snippetOf(content);
  return { title, content, folder, tags, pinned, archived, properties, size, snippet };
};

const sentBy = (revision: number, { clientId }: VersionStamp): string | null =>
  clientId === null ? null : sentByOf(revision, clientId);

const updateOf = ({ author, at, changeNo }: VersionStamp) => ({
  changeNo,
  updatedAt: at,
  updatedByKind: author.kind,
  updatedById: author.id,
  updatedByRunId: author.runId ?? null,
});

/** Approximate bytes of ids, times and field names in a response. */
const wireBytesFixed = 700;

/** Approximate bytes of a version in a response. Pages are cut by it before the text is read. */
export const wireBytesOf = (note: StoredNote): number => {
  const { title, folder, tags, properties, snippet, deletedAt } = note;
  const content = deletedAt === null ? note.content : '';
  const parts = [title, folder, tags, properties, snippet, content];
  return wireBytesFixed + Buffer.byteLength(JSON.stringify(parts));
};
