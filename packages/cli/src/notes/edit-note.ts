import { randomUUID } from 'node:crypto';
import type { ApiClient, Schema } from '@commonplace/client';
import { repeat } from './repeat.ts';

/** Edits of one note. */
export type NoteEdits = {
  readonly id: string;
  readonly edits: Schema<'NoteEdit'>[];
  /** The revision that the note must have. */
  readonly revision?: number | undefined;
  /** Why, where it becomes a proposal. */
  readonly reason?: string;
  /** Whether the response names the lines that changed. */
  readonly showChanges?: boolean;
  /** The revision that was read: the response says what others changed since. */
  readonly sinceRevision?: number;
};

/** The receipt of an edit, with what changed if it was requested. */
export type EditReceipt = Schema<'NoteReceipt'> & {
  readonly changed?: Schema<'NoteChanges'> | undefined;
};

/** Edits a note on the server. One `mutationId` for all attempts, so that a retry never edits twice. */
export const editNote = async (
  api: ApiClient,
  { id, revision, ...requested }: NoteEdits,
): Promise<EditReceipt | Schema<'Proposed'>> => {
  const body = { ...requested, mutationId: randomUUID() };
  const { data } = await repeat(() =>
    api.patch('/api/notes/{id}', {
      params: { path: { id } },
      headers: {
        Prefer: 'return=minimal',
        ...(revision === undefined ? {} : { 'If-Match': `"${revision}"` }),
      },
      body,
    }),
  );
  return data;
};
