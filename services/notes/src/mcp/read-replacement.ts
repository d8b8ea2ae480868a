import type { NoteId } from '@commonplace/contracts/core';
import {
  getNoteContract,
  type NoteData,
  type NoteInput,
  type Proposal,
} from '@commonplace/contracts/notes';
import { bodyOf } from '@commonplace/http';
import { assertNoteRead } from './assert-note-read.ts';
import type { McpSession } from './mcp-session.ts';
import { findNote, readByPath } from './note-name.ts';
import { findOwnProposal, keptFields, type FieldName } from './own-proposal.ts';

/** A call that replaces a note, which it names by its id, its place or its title. */
export type ReplaceRequest = {
  readonly id: string | undefined;
  /** As it was given; the fields have its folder and title. */
  readonly path: string | undefined;
  readonly revision: number;
  readonly fields: Omit<NoteInput, 'archived'>;
};

/** The open proposal that a new one replaces. */
export type ReplacedProposal = Pick<Proposal, 'id' | 'baseRevision'> & {
  /** The fields that keep what it proposes. */
  readonly kept: readonly FieldName[];
  /** Those that it proposes, and that others have changed since. */
  readonly conflicts: readonly FieldName[];
};

type Replacement = {
  readonly id: NoteId;
  readonly body: NoteInput;
  readonly replaced: ReplacedProposal | null;
};

/** The note to replace, and its new state. Its text is not held unless it stays. */
export const readReplacement = async (
  session: McpSession,
  { id, path, revision, fields }: ReplaceRequest,
): Promise<Replacement> => {
  const { folder, title, ...others } = fields;
  const isByPlace =
    id === undefined && path === undefined && folder !== undefined && title !== undefined;
  const found = isByPlace
    ? await readByPath(session, { folder, title })
    : await findNote(
        session,
        id !== undefined ? { id } : path !== undefined ? { path } : { title },
      );
  await assertNoteRead(session, found, revision);
  const present = found.note ?? (await read(session, found.id));
  // Found by its title, letter case aside: that is not a new title.
  const given: ReplaceRequest['fields'] = id === undefined ? others : fields;
  const own = await findOwnProposal(session, present, given.folder);
  // Of another revision nothing is replaced: the write says so.
  const kept =
    own && present.revision === revision
      ? await keptFields(session, { present, own, given })
      : null;
  return {
    id: found.id,
    body: { ...fieldsOf(present), ...kept?.fields, ...given },
    replaced: own &&
      kept && {
        id: own.id,
        baseRevision: own.baseRevision,
        kept: kept.proposed,
        conflicts: kept.conflicts,
      },
  };
};

const fieldsOf = (note: NoteData): NoteInput => ({
  title: note.title,
  content: note.content,
  folder: note.folder,
  tags: note.tags,
  pinned: note.pinned,
  archived: note.archived,
  properties: note.properties,
});

const read = async ({ call }: McpSession, id: NoteId) =>
  bodyOf<typeof getNoteContract>(await call(getNoteContract, { params: { id } }));
