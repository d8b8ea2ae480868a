import { AppError, plainText, type NoteId } from '@commonplace/contracts/core';
import {
  fitsInBytes,
  getNoteContract,
  getRevisionContract,
  type ReadNote,
} from '@commonplace/contracts/notes';
import { bodyOf } from '@commonplace/http';
import { z } from 'zod';
import { position, revisionNumber } from '../argument-schemas.ts';
import { assertOnly } from '../assert-only.ts';
import { readBacklinks } from '../read-backlinks.ts';
import { defineTool } from '../define-tool.ts';
import { firstBytes, authorLabels, pathOf } from '../format.ts';
import type { McpSession } from '../mcp-session.ts';
import { findNote, nameAliases, noteName, type NoteName } from '../note-name.ts';
import { cutNote, type CutNote, type CutRequest } from '../cut-note.ts';
import { resultBytesDefault, texts } from '../tool-result.ts';

/** The length of the path of a heading. */
const headingLengthMax = 2_000;

/** `lines` instead of `fromLine` and `toLine`. */
const withLines = ({ lines, ...given }: Record<string, unknown>): Record<string, unknown> => {
  if (lines === undefined) {
    return given;
  }
  assertOnly({ fromLine: given['fromLine'], toLine: given['toLine'] }, [], 'lines');
  return { ...given, ...range(lines) };
};

export const readNote = defineTool({
  name: 'read_note',
  description:
    'Read a note: first its facts (id, revision, …), then its text exactly as stored. Of a long note a part: by byte, by lines, or one section.',
  contract: getNoteContract,
  effect: 'reads',
  input: z.strictObject({
    ...noteName,
    section: plainText(1, headingLengthMax).optional().describe('Heading, or Plan/Risks'),
    fromLine: position(1).optional(),
    toLine: position(1).optional(),
    revision: revisionNumber.optional().describe('An old version'),
    links: z.boolean().default(false).describe('List the notes that link to it'),
    from: position(0).optional().describe('First byte'),
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
  others: ['lines'],
  prepare: withLines,
  run: async (session, { id, path, title, revision, links, ...request }) => {
    assertOnePart(request);
    if (revision !== undefined) {
      assertOnly({ links: links || undefined }, [], 'revision');
    }
    const { note, part } = await readPart(session, { id, path, title }, { revision, ...request });
    const labelOf = await authorLabels(session, [note.updatedBy]);
    const facts = factsOf(note, part, labelOf(note.updatedBy));
    const linkedFrom = links ? await readBacklinks(session, note.id) : [];
    return texts([facts, ...linkedFrom].join('\n'), part.text);
  },
});

/** The part that is shown, and the note without its text: that is not held while names and links are read. */
const readPart = async (
  session: McpSession,
  name: NoteName,
  { revision, ...request }: CutRequest & { readonly revision: number | undefined },
): Promise<ShownPart> => {
  const found = await findNote(session, name, { withDeleted: revision !== undefined });
  const { content, ...note } =
    revision === undefined
      ? (found.note ?? (await read(session, found.id, request)))
      : await readVersion(session, found.id, revision);
  return { note, part: cutNote({ ...note, content }, request) };
};

/** A section, lines or bytes: of two parts one would be ignored. */
const assertOnePart = ({ section, fromLine, toLine, from }: CutRequest): void => {
  if (section !== undefined) {
    assertOnly({ fromLine, toLine, from }, [], 'section');
  }
  if (fromLine !== undefined || toLine !== undefined) {
    assertOnly({ from }, [], 'fromLine and toLine');
  }
  if (toLine !== undefined && toLine < (fromLine ?? 1)) {
    throw new AppError('validation_failed', 'toLine must not be before fromLine.');
  }
};

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

/** What is shown of a note, or of an old version of it. */
type ShownNote = Pick<
  ReadNote,
  | 'id'
  | 'title'
  | 'content'
  | 'folder'
  | 'tags'
  | 'pinned'
  | 'archived'
  | 'properties'
  | 'revision'
  | 'size'
  | 'updatedAt'
  | 'updatedBy'
> & {
  readonly conflictOf: string | null;
  readonly window?: ReadNote['window'];
  /** Of an old version: it is a deletion. */
  readonly deleted?: boolean;
};

type ShownPart = { readonly note: Omit<ShownNote, 'content'>; readonly part: CutNote };

const readVersion = async (
  { call }: McpSession,
  id: NoteId,
  revision: number,
): Promise<ShownNote> => {
  const { createdAt, createdBy, ...version } = bodyOf<typeof getRevisionContract>(
    await call(getRevisionContract, { params: { id, revision: String(revision) } }),
  );
  return { ...version, id, conflictOf: null, updatedAt: createdAt, updatedBy: createdBy };
};

/** More than any title, folder, list of tags or properties has. */
const noteBytesMax = 20_000;

/** Beside a text the longest facts are cut: a result has room for both only without the text. */
const besideTextBytesMax = 2_000;

const factOf = (name: string, value: string, { note, part }: ShownPart): string[] => {
  const isCut = part.text !== '' && !fitsInBytes(value, besideTextBytesMax);
  const all = `call again with from ${note.size} for all of it`;
  return isCut
    ? [`${name}: ${firstBytes(value, besideTextBytesMax)} (cut: ${all})`]
    : [`${name}: ${value}`];
};

const factsOf = (note: ShownPart['note'], part: CutNote, author: string): string =>
  [
    `id: ${note.id}`,
    `path: ${pathOf(note, noteBytesMax)}`,
    `revision: ${note.revision}`,
    ...(note.tags.length > 0 ? factOf('tags', note.tags.join(', '), { note, part }) : []),
    ...(note.deleted === true ? ['deleted: true'] : []),
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
