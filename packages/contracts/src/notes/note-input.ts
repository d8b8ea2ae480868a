import { z } from 'zod';
import { isStorableText } from '../common.ts';
import { fitsInBytes, fitsInCharacters, noteLimits } from './note-limits.ts';
import { notePropertiesInput } from './note-properties.ts';

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

/** One tag, trimmed and in Unicode normal form C. */
export const noteTag = noteText()
  .transform((value) => value.trim().normalize('NFC'))
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
