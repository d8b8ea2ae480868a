import { z } from 'zod';
import { noteData } from './note-data.ts';
import { noteInput } from './note-input.ts';
import { writeReason } from './proposal.ts';

const { id, companyId, revision, size, snippet, conflictOf, ...others } = noteData.shape;
const { createdAt, updatedAt, deletedAt } = others;

/** An author is compared as a whole. */
const sentAuthor = z.record(z.string(), z.unknown()).meta({ description: 'An `Author`' });

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
