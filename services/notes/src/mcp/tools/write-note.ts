import type { NoteId } from '@commonplace/contracts/core';
import {
  createNoteContract,
  getNoteContract,
  noteInput,
  notePropertiesInput,
  noteTitle,
  putNoteContract,
  type NoteInput,
} from '@commonplace/contracts/notes';
import { bodyOf } from '@commonplace/http';
import { z } from 'zod';
import { folderName, revisionNumber, tagNames } from '../argument-schemas.ts';
import { assertOnly } from '../assert-only.ts';
import { defineTool } from '../define-tool.ts';
import type { McpSession } from '../mcp-session.ts';
import { findEarlier, keyHeaders } from '../keyed-call.ts';
import { findNote, givenId, nameAliases, noteName, readByPath, splitPath } from '../note-name.ts';
import { parseCall } from '../parse-call.ts';
import { preferOriginal } from '../prefer-original.ts';
import { failed, structured } from '../tool-result.ts';
import {
  earlierResult,
  proposedResult,
  writeHeaders,
  writtenOutput,
  writtenResult,
} from './written-result.ts';

const input = z.strictObject({
  title: noteTitle.optional(),
  content: noteInput.shape.content.unwrap().optional().describe('Markdown'),
  folder: folderName.optional(),
  tags: tagNames.optional(),
  pinned: z.boolean().optional(),
  properties: notePropertiesInput.optional().describe('JSON object'),
  id: givenId.optional().describe('Only to replace'),
  revision: revisionNumber.optional().describe('Only to replace: the revision you read'),
});

/** `path` instead of `folder` and `title`. */
const withPlace = ({ path, ...given }: Record<string, unknown>): Record<string, unknown> => {
  if (path === undefined) {
    return given;
  }
  const { folder, title } = given;
  assertOnly({ folder, title }, [], 'path');
  return { ...given, ...splitPath(parseCall(noteName.path.unwrap(), path)) };
};

export const writeNote = defineTool({
  name: 'write_note',
  description:
    'Create a note. If the folder has one of this title, nothing is written and you get its id: use edit_note. With revision: replace the text (and the fields given) of the note that you have read at it.',
  contract: createNoteContract,
  effect: 'destroys',
  isIdempotent: true,
  input,
  output: writtenOutput.extend({ created: z.boolean() }),
  aliases: { ...nameAliases, text: 'content', body: 'content' },
  others: ['path'],
  prepare: withPlace,
  run: (session, { id, revision, ...fields }) => {
    if (revision !== undefined) {
      return replace(session, { id, revision, fields });
    }
    return id === undefined
      ? create(session, fields)
      : Promise.resolve(
          failed(
            'revision_required',
            'A note is replaced only with the revision that you have read.',
            'Call read_note, then write_note with id and revision; or edit_note, which needs none. To create a note leave id out.',
          ),
        );
  },
});

type Fields = Omit<NoteInput, 'archived'>;

const create = async (session: McpSession, fields: Fields) => {
  const { call, retryKey } = session;
  const written = await call(createNoteContract, {
    body: { ...fields, ifTitleExists: fields.title === undefined ? 'create' : 'return' },
    headers: {
      ...writeHeaders(),
      ...(retryKey === null ? {} : { 'idempotency-key': retryKey }),
    },
  });
  const note = bodyOf<typeof createNoteContract>(written);
  if ('proposal' in note) {
    return note.existing ? proposedBefore(note) : createdProposal(note);
  }
  if (written.status === 201) {
    return writtenResult(note, { created: true });
  }
  const { id, revision, updatedAt } = await preferOriginal(session, note, fields);
  const next = 'Nothing was written: the folder has this note already. read_note, then edit_note.';
  return structured({ id, revision, updatedAt, created: false, next });
};

type Proposed = { readonly proposal: { readonly id: string; readonly noteId: string } };

const createdProposal = ({ proposal }: Proposed) =>
  proposedResult(proposal.noteId, proposal.id, { created: false });

const proposedBefore = ({ proposal: { id, noteId } }: Proposed) =>
  structured({
    id: noteId,
    created: false,
    next: `Nothing was written: you have proposed this note already (proposal ${id}). edit_note with this id changes the proposal.`,
  });

type Replacement = {
  readonly id: string | undefined;
  readonly revision: number;
  readonly fields: Fields;
};

/** Fields that are not given keep their values. The revision makes reading and writing one step. */
const replace = async (session: McpSession, { id, revision, fields }: Replacement) => {
  const sent = { id, ...fields };
  const keyed = { operation: 'put', key: session.retryKey, sent } as const;
  const earlier = await findEarlier(session, keyed);
  if (earlier) {
    return earlierResult(session, earlier, { created: false });
  }
  const found = await withPresent(session, { id, fields });
  const written = await session.call(putNoteContract, {
    params: { id: found.id },
    body: found.body,
    headers: { ...writeHeaders(revision), ...keyHeaders(keyed) },
  });
  const note = bodyOf<typeof putNoteContract>(written);
  return 'proposal' in note
    ? proposedResult(found.id, note.proposal.id, { created: false })
    : writtenResult(note, { created: false });
};

/** The note to replace, and its new state. Its text is not held unless it stays. */
const withPresent = async (
  session: McpSession,
  { id, fields }: Pick<Replacement, 'id' | 'fields'>,
): Promise<{ readonly id: NoteId; readonly body: NoteInput }> => {
  const { folder, title } = fields;
  const isByPlace = id === undefined && folder !== undefined && title !== undefined;
  const found = isByPlace
    ? await readByPath(session, { folder, title })
    : await findNote(session, id === undefined ? { title } : { id });
  const present = found.note ?? (await read(session, found.id));
  const body = {
    title: present.title,
    content: present.content,
    folder: present.folder,
    tags: present.tags,
    pinned: present.pinned,
    archived: present.archived,
    properties: present.properties,
    ...fields,
    // Found by its title, letter case aside: that is not a new title.
    ...(id === undefined ? { title: present.title } : {}),
  };
  return { id: found.id, body };
};

const read = async ({ call }: McpSession, id: NoteId) =>
  bodyOf<typeof getNoteContract>(await call(getNoteContract, { params: { id } }));
