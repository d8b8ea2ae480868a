import { z } from 'zod';
import { timestamp } from '../common.ts';
import { noteId, proposalId, undoId } from '../ids.ts';
import { author } from './author.ts';
import { noteProperties } from './note-properties.ts';

/** What a version that an undo wrote takes back. */
const undoReference = z.object({ undoId, revisions: z.array(z.int()) }).meta({
  id: 'UndoReference',
  description: 'The undo that wrote the version, and what it undoes',
});

/** The proposal that a version was. */
const acceptedProposal = z.object({ proposalId, acceptedBy: author }).meta({
  id: 'AcceptedProposal',
  description: 'The proposal of its author that the version was, and who accepted it',
});

const fields = {
  noteId,
  revision: z.int(),
  deleted: z.boolean().meta({ description: 'Whether this version is a deletion' }),
  title: z.string(),
  folder: z.string(),
  tags: z.array(z.string()),
  pinned: z.boolean(),
  archived: z.boolean(),
  size: z.int(),
  createdAt: timestamp,
  createdBy: author,
  proposal: acceptedProposal.optional(),
  undoes: undoReference.optional(),
};

/** A stored version of a note in a list. */
export const noteRevisionSummary = z.object(fields).meta({
  id: 'NoteRevisionSummary',
  description: 'A stored version of a note, without its content',
});

/** A stored version of a note. */
export const noteRevision = z
  .object({ ...fields, content: z.string(), properties: noteProperties })
  .meta({ id: 'NoteRevision', description: 'A stored version of a note' });
export type NoteRevision = z.infer<typeof noteRevision>;
export type NoteRevisionSummary = z.infer<typeof noteRevisionSummary>;
