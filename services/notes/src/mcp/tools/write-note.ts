import type { NoteId } from '@commonplace/contracts/core';
import {
  createNoteContract,
  getNoteContract,
  putNoteContract,
  type NoteInput,
} from '@commonplace/contracts/notes';
import { bodyOf } from '@commonplace/http';
import { z } from 'zod';
import { defineTool } from '../define-tool.ts';
import type { McpSession } from '../mcp-session.ts';
import { findNote, nameAliases, readByPath, splitPath } from '../note-name.ts';
import { failed, structured } from '../tool-result.ts';
import { writeHeaders, writtenOutput, writtenResult } from './written-result.ts';

const input = z.strictObject({
  title: z.string().optional(),
  content: z.string().optional().describe('Markdown'),
  folder: z.string().optional(),
  tags: z.array(z.string()).optional(),
  pinned: z.boolean().optional(),
  properties: z.record(z.string(), z.unknown()).optional(),
  id: z.string().optional().describe('Only to replace'),
  revision: z.int().min(1).optional().describe('Only to replace: the revision you read'),
});

export const writeNote = defineTool({
  name: 'write_note',
  description:
    'Create a note. If the folder has one of this title, nothing is written and you get its id: use edit_note. With revision: replace the text (and the fields given) of the note that you have read at it.',
  contract: createNoteContract,
  effect: 'destroys',
  isIdempotent: true,
  input,
  output: writtenOutput.extend({ created: z.boolean(), next: z.string().optional() }),
  aliases: { ...nameAliases, text: 'content', body: 'content' },
  prepare: (given) => {
    const { path, ...rest } = given;
    return typeof path === 'string' ? { ...splitPath(path), ...rest } : given;
  },
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

const create = async ({ call, retryKey }: McpSession, fields: Fields) => {
  const written = await call(createNoteContract, {
    body: { ...fields, ifTitleExists: fields.title === undefined ? 'create' : 'return' },
    headers: {
      ...writeHeaders(),
      ...(retryKey === null ? {} : { 'idempotency-key': retryKey }),
    },
  });
  const note = bodyOf<typeof createNoteContract>(written);
  if (written.status === 201) {
    return writtenResult(note, { created: true });
  }
  const { id, revision, updatedAt } = note;
  const next = 'Nothing was written: the folder has this note already. read_note, then edit_note.';
  return structured({ id, revision, updatedAt, created: false, next });
};

type Replacement = {
  readonly id: string | undefined;
  readonly revision: number;
  readonly fields: Fields;
};

/** Fields that are not given keep their values. The revision makes reading and writing one step. */
const replace = async (session: McpSession, { id, revision, fields }: Replacement) => {
  const { folder, title } = fields;
  const isByPlace = id === undefined && folder !== undefined && title !== undefined;
  const found = isByPlace
    ? await readByPath(session, { folder, title })
    : await findNote(session, { id, title });
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
  };
  const written = await session.call(putNoteContract, {
    params: { id: found.id },
    body,
    headers: writeHeaders(revision),
  });
  return writtenResult(bodyOf<typeof putNoteContract>(written), { created: false });
};

const read = async ({ call }: McpSession, id: NoteId) =>
  bodyOf<typeof getNoteContract>(await call(getNoteContract, { params: { id } }));
