import { z } from 'zod';
import { isStorableText } from '../common.ts';
import { noteData } from './note-data.ts';
import { isRecord, mayFitInBytes, notePropertiesInput } from './note-fields.ts';
import { fitsInBytes, fitsInCharacters, noteLimits } from './note-limits.ts';
import { writeReason } from './proposals.ts';

/** Text of a note, without a limit. */
export const noteText = () =>
  z.string().refine(isStorableText, 'must not hold NUL or lone surrogates');

/** Names are shown in terminals, which would obey control characters. */
const withoutControls = [
  (value: string): boolean => !/[\u0000-\u001f\u007f-\u009f]/.test(value),
  'must not hold control characters',
] as const;

/** A title. */
export const noteTitle = noteText()
  .refine(
    (value) => fitsInCharacters(value, noteLimits.titleCharactersMax),
    `must be at most ${noteLimits.titleCharactersMax} characters`,
  )
  .refine(...withoutControls)
  .meta({ maxLength: noteLimits.titleCharactersMax });

const content = noteText()
  .refine(
    (value) => fitsInBytes(value, noteLimits.contentBytesMax),
    `must be at most ${noteLimits.contentBytesMax} bytes of UTF-8`,
  )
  .meta({
    description: `Markdown, at most ${noteLimits.contentBytesMax} bytes of UTF-8`,
    maxLength: noteLimits.contentBytesMax,
  });

const isFolder = (value: string): boolean =>
  value === '' || value.split('/').every((segment) => !['', '.', '..'].includes(segment));

/** A folder, `''` for the root: segments separated by `/`, none of them empty, `.` or `..`. */
export const noteFolder = noteText()
  .refine(
    (value) => fitsInCharacters(value, noteLimits.folderCharactersMax),
    `must be at most ${noteLimits.folderCharactersMax} characters`,
  )
  .refine(isFolder, 'must be segments separated by /, none empty, "." or ".."')
  .meta({ maxLength: noteLimits.folderCharactersMax, example: 'projects/2026' });

/** The folder that a note gets. Notes from before it forbade control characters are still found in theirs. */
export const newNoteFolder = noteFolder.refine(...withoutControls);

/** Above what a tag may have; the normal form of so much is too long for one, too. */
const normalizedUnitsMax = 1_000;

/**
 * One tag, trimmed and in Unicode normal form C. The normal form takes quadratic time where combining marks follow each
 * other, so that only the beginning of a text that is no tag anyway is brought into it.
 */
export const noteTag = noteText()
  .transform((value) => value.trim().slice(0, normalizedUnitsMax).normalize('NFC'))
  .refine(
    (value) => value.length > 0 && fitsInCharacters(value, noteLimits.tagCharactersMax),
    `must be 1 to ${noteLimits.tagCharactersMax} characters`,
  )
  .meta({ type: 'string', minLength: 1 });

/** A tag that a note gets. */
export const newNoteTag = noteTag.refine(...withoutControls).meta({ type: 'string', minLength: 1 });

const tags = z
  .array(newNoteTag)
  .max(noteLimits.tagsMax)
  .transform((values) => [...new Set(values)].toSorted())
  .meta({ description: 'Trimmed, in normal form C, without duplicates, sorted' });

/**
 * The writable fields of a note; absent fields take their defaults. Unknown and read-only fields are
 * rejected, because dropping them silently would lose data.
 */
export const noteInput = z
  .strictObject({
    title: noteTitle.default(''),
    content: content.default(''),
    folder: newNoteFolder.default(''),
    tags: tags.default([]),
    pinned: z.boolean().default(false),
    archived: z.boolean().default(false),
    properties: notePropertiesInput.default({}),
  })
  .meta({
    id: 'NoteInput',
    description: 'The writable fields of a note; absent fields take their defaults',
  });

/** All writable fields, normalised. */
export type NoteFields = z.output<typeof noteInput>;
/** The writable fields as clients send them. */
export type NoteInput = z.input<typeof noteInput>;

const { id, companyId, revision, size, snippet, conflictOf, ...others } = noteData.shape;
const { createdAt, updatedAt, deletedAt } = others;

/** Above what an author has. */
const sentAuthorBytesMax = 4_096;

/** An author is compared as a whole. */
const sentAuthor = z
  .unknown()
  .refine((value) => isRecord(value) && mayFitInBytes(value, sentAuthorBytesMax), {
    error: 'must be an author',
    abort: true,
  })
  .meta({ type: 'object', additionalProperties: true, description: 'An `Author`' });

/** The fields of a note that no request sets. */
const readOnlyShape = {
  id,
  companyId,
  revision,
  size,
  snippet,
  conflictOf,
  createdAt,
  updatedAt,
  deletedAt,
  createdBy: sentAuthor,
  updatedBy: sentAuthor,
} as const;

const readOnlyNames = Object.keys(readOnlyShape) as (keyof typeof readOnlyShape)[];

const optionalReadOnly = z.object(readOnlyShape).partial();
export type ReadOnlyFields = z.output<typeof optionalReadOnly>;

/** The body of a PUT: a note as GET returns it, or its writable fields only. */
export const putNoteInput = z
  .strictObject({ ...noteInput.shape, ...optionalReadOnly.shape, reason: writeReason })
  .meta({
    id: 'PutNoteRequest',
    description: `The writable fields of a note; absent fields take their defaults. Read-only fields may be sent with the
values they have.`,
  });

/** The read-only fields that a note, or the body of a PUT, has. */
export const readOnlyOf = (note: ReadOnlyFields): ReadOnlyFields =>
  Object.fromEntries(
    readOnlyNames.filter((name) => note[name] !== undefined).map((name) => [name, note[name]]),
  );

/** The writable fields of a PUT, and those read-only ones that were sent. */
export const splitPut = (body: z.output<typeof putNoteInput>) => {
  const { title, content, folder, tags, pinned, archived, properties } = body;
  const fields = { title, content, folder, tags, pinned, archived, properties };
  return { fields, readOnly: readOnlyOf(body) };
};
