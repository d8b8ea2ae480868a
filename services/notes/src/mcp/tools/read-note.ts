import { AppError, type NoteId } from '@commonplace/contracts/core';
import { fitsInBytes, getNoteContract, type ReadNote } from '@commonplace/contracts/notes';
import { bodyOf } from '@commonplace/http';
import { z } from 'zod';
import { defineTool } from '../define-tool.ts';
import { firstBytes, nameAuthors, pathOf } from '../format.ts';
import type { McpSession } from '../mcp-session.ts';
import { findNote, nameAliases, noteName } from '../note-name.ts';
import { cutNote, type CutNote, type CutRequest } from '../cut-note.ts';
import { resultBytesDefault, texts } from '../tool-result.ts';

export const readNote = defineTool({
  name: 'read_note',
  description:
    'Read a note: first its facts (id, revision, …), then its text exactly as stored. Of a long note a part: by byte, by lines, or one section.',
  contract: getNoteContract,
  effect: 'reads',
  input: z.strictObject({
    ...noteName,
    section: z.string().optional().describe('Heading, or Plan/Risks'),
    fromLine: z.int().min(1).optional(),
    toLine: z.int().min(1).optional(),
    from: z.int().min(0).max(2_147_483_647).optional().describe('First byte'),
    maxBytes: z.int().min(1).max(200_000).default(resultBytesDefault),
  }),
  aliases: {
    ...nameAliases,
    heading: 'section',
    start_line: 'fromLine',
    from_line: 'fromLine',
    end_line: 'toLine',
    to_line: 'toLine',
    offset: 'from',
    max_bytes: 'maxBytes',
  },
  prepare: ({ lines, ...given }) => (lines === undefined ? given : { ...given, ...range(lines) }),
  run: async (session, { id, path, title, ...request }) => {
    const found = await findNote(session, { id, path, title });
    const note = found.note ?? (await read(session, found.id, request));
    const part = cutNote(note, request);
    const nameOf = await nameAuthors(session, [note.updatedBy]);
    return texts(factsOf(note, part, nameOf(note.updatedBy)), part.text);
  },
});

/** `10-20`, or the line 10. */
const range = (lines: unknown) => {
  const [, from, to = from] = /^\s*(\d+)(?:\s*[-:,]\s*(\d+))?\s*$/.exec(String(lines)) ?? [];
  if (from === undefined) {
    throw new AppError('validation_failed', 'lines must be like "10-20".');
  }
  return { fromLine: Number(from), toLine: Number(to) };
};

/** Only what is shown is read, unless lines or a section are to be found. */
const read = async ({ call }: McpSession, id: NoteId, request: CutRequest): Promise<ReadNote> => {
  const isWhole =
    request.section !== undefined || request.fromLine !== undefined || request.toLine !== undefined;
  const query = isWhole
    ? {}
    : { from: String(request.from ?? 0), maxBytes: String(request.maxBytes) };
  return bodyOf<typeof getNoteContract>(await call(getNoteContract, { params: { id }, query }));
};

/** More than any title, folder, list of tags or properties has. */
const noteBytesMax = 20_000;

/** Beside a text the longest facts are cut: a result has room for both only without the text. */
const besideTextBytesMax = 2_000;

const factOf = (
  name: string,
  value: string,
  { note, part }: { readonly note: ReadNote; readonly part: CutNote },
): string[] => {
  const isCut = part.text !== '' && !fitsInBytes(value, besideTextBytesMax);
  const all = `call again with from ${note.size} for all of it`;
  return isCut
    ? [`${name}: ${firstBytes(value, besideTextBytesMax)} (cut: ${all})`]
    : [`${name}: ${value}`];
};

const factsOf = (note: ReadNote, part: CutNote, author: string): string =>
  [
    `id: ${note.id}`,
    `path: ${pathOf(note, noteBytesMax)}`,
    `revision: ${note.revision}`,
    ...(note.tags.length > 0 ? factOf('tags', note.tags.join(', '), { note, part }) : []),
    ...(note.pinned ? ['pinned: true'] : []),
    ...(note.archived ? ['archived: true'] : []),
    ...(note.conflictOf === null ? [] : [`conflict copy of: ${note.conflictOf}`]),
    ...(Object.keys(note.properties).length > 0
      ? factOf('properties', JSON.stringify(note.properties), { note, part })
      : []),
    `updated: ${note.updatedAt} by ${author}`,
    `size: ${note.size} bytes`,
    ...(part.shown === null ? [] : [`shown: ${part.shown}`]),
    ...(part.next === null ? [] : [`more: ${part.next}`]),
  ].join('\n');
