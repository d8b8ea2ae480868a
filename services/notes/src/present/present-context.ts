import type { DescribedAgent } from '@commonplace/contracts/internal';
import type { Context } from '@commonplace/contracts/notes';
import type { ContextNoteRow } from '../queries/context-notes.ts';
import { presentAuthor } from './present-note.ts';

type ContextNote = Context['notes'][number];

/** The calling agent, with its direct manager. */
export const presentContextAgent = (agent: DescribedAgent): Context['agent'] => ({
  id: agent.id,
  name: agent.name,
  title: agent.title,
  role: agent.role,
  manager: agent.chainOfCommand[0] ?? null,
  budget: agent.budget,
});

/** A note that may go into a context; its author has no name yet. */
export const presentContextNote = (
  row: ContextNoteRow,
  reason: ContextNote['reason'],
): Omit<ContextNote, 'truncated'> => ({
  id: row.id,
  revision: row.revision,
  title: row.title,
  folder: row.folder,
  reason,
  updatedAt: row.updatedAt.toISOString(),
  author: {
    ...presentAuthor({ kind: row.updatedByKind, id: row.updatedById, runId: row.updatedByRunId }),
    name: null,
  },
  deleted: row.deletedAt !== null,
  size: row.deletedAt === null ? row.size : 0,
  text: row.text,
});

/** The note with the name of its author, if the company knows one. */
export const withAuthorName = (
  note: Omit<ContextNote, 'truncated'>,
  names: Readonly<Record<string, string>>,
): Omit<ContextNote, 'truncated'> => ({
  ...note,
  author: { ...note.author, name: names[note.author.id] ?? null },
});
