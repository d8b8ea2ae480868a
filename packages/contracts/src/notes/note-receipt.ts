import { z } from 'zod';
import { timestamp } from '../common.ts';
import { noteId } from '../ids.ts';
import { noteData } from './note-data.ts';
import { noteHeaders } from './note-route.ts';

/** What a write returns with `Prefer: return=minimal`. */
export const noteReceipt = z
  .object({ id: noteId, revision: noteData.shape.revision, updatedAt: timestamp })
  .meta({ id: 'NoteReceipt', description: 'What a write returns with `Prefer: return=minimal`' });
export type NoteReceipt = z.infer<typeof noteReceipt>;

/** The body of a successful write: the note, or a receipt if the client prefers one. */
export const writtenNote = z.union([noteData, noteReceipt]);
export type WrittenNote = z.infer<typeof writtenNote>;

/** The request header of writes that can return a receipt. */
export const preferMinimalHeader = {
  Prefer: '`return=minimal`: return id, revision and updatedAt only (RFC 7240).',
} as const;

/** Headers of a response with a written note. */
export const writtenNoteHeaders = {
  ...noteHeaders,
  'Preference-Applied': {
    description: '`return=minimal` if the response is a receipt',
    isOptional: true,
  },
} as const;
