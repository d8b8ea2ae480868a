import type { Schema } from '@commonplace/client';
import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { apiOf } from '../../../api/api.ts';
import { currentNoteIn } from '../../../api/problems.ts';
import { keys } from '../../../api/query-keys.ts';
import { mergeNoteTexts } from '../editor/merge-note-texts.ts';
import { textOf } from '../note-text.ts';

type Note = Schema<'NoteData'>;

/** What to keep: one of the versions, both as separate notes, or a text made of both. */
export type Choice =
  | 'current'
  | 'other'
  | 'both'
  | { readonly content: string; readonly base: Note };

/** The newest version of a note, if a choice was refused because of it and not because of another one. */
export const newerIn = (error: unknown, id: string | undefined): Note | undefined => {
  const current = currentNoteIn(error);
  return current?.id === id ? current : undefined;
};

/** The conflict copy has a newer text, which resolving would delete. */
export class NewerCopyError extends Error {
  readonly content: string;

  constructor(content: string) {
    super('The version that was not merged has changed.');
    this.content = content;
  }
}

/** The revision of the copy that resolving may delete; none where it cannot be read. */
type CopyCondition = { readonly copyRevision?: number };

/** The copy as it is, if its text is the one that was seen. Throws `NewerCopyError`. */
const unchangedCopy = async ({ companyId, id }: Note, seen: string): Promise<CopyCondition> => {
  const response = await apiOf(companyId)
    .get('/api/notes/{id}', { params: { path: { id } } })
    // A copy that is deleted by now is what resolving reports, or a retry that is safe.
    .catch(() => null);
  if (response && response.data.content !== seen) {
    throw new NewerCopyError(response.data.content);
  }
  return response ? { copyRevision: response.data.revision } : {};
};

const matching = ({ revision }: Note) => ({ 'If-Match': `"${revision}"` });

type Resolution = Schema<'ConflictResolution'>;

const resolve = (copy: Pick<Note, 'id' | 'companyId'>, note: Note, body: Resolution) =>
  apiOf(copy.companyId).post('/api/notes/{id}/conflicts/{copyId}/resolve', {
    params: { path: { id: note.id, copyId: copy.id }, header: matching(note) },
    body,
  });

/** Resolves by a text that was made from a version. Newer changes of others are merged into it. */
const resolveByText = async (
  copy: Note,
  { content, ...condition }: { readonly content: string } & CopyCondition,
  base: Note,
): Promise<void> => {
  try {
    await resolve(copy, base, { content, ...condition });
  } catch (error) {
    const theirs = newerIn(error, base.id);
    const versions = theirs && {
      base: textOf(base),
      mine: { ...textOf(base), content },
      theirs: textOf(theirs),
    };
    const merged = versions && (await mergeNoteTexts(versions, new AbortController().signal));
    if (!merged) {
      throw error;
    }
    await resolve(copy, theirs, { content: merged.content, ...condition });
  }
};

const keepBoth = async (copy: Note, ownId: string, title: string): Promise<void> => {
  // The same text as a separate note, without a reference to the conflict.
  await apiOf(copy.companyId).put('/api/notes/{id}', {
    params: { path: { id: ownId } },
    body: { ...writable(copy), title },
  });
  await remove(copy);
};

const remove = (copy: Note) =>
  apiOf(copy.companyId).delete('/api/notes/{id}', {
    params: { path: { id: copy.id }, header: matching(copy) },
  });

const writable = ({ title, content, folder, tags, pinned, archived, properties }: Note) => ({
  title,
  content,
  folder,
  tags,
  pinned,
  archived,
  properties,
});

type ResolveOptions = {
  readonly copy: Note;
  /** The version that the operator has seen; null: it was deleted. */
  readonly original: Note | null;
  /** The text of the copy that the operator has seen. */
  readonly other: string;
  /** What the note is called that `both` makes of the copy. */
  readonly separateTitle: string;
  /** Before the page is left. */
  readonly onResolved: () => void;
  /** A choice failed, perhaps because of a newer version. */
  readonly onNewer: (error: Error) => void;
};

/** Resolves a conflict by a choice, and goes to the note that is left. */
export const useResolveConflict = (options: ResolveOptions) => {
  const { copy, original, other, separateTitle, onResolved, onNewer } = options;
  const { companyId } = copy;
  const client = useQueryClient();
  const navigate = useNavigate();
  // The same id for every attempt, so that a retry does not create a second note.
  const [ownId] = useState(() => crypto.randomUUID());
  const refresh = () => client.invalidateQueries({ queryKey: keys.notes(companyId) });
  return useMutation({
    /** Returns the note that is left; null: none. */
    mutationFn: async (choice: Choice): Promise<string | null> => {
      const condition = choice !== 'both' && original ? await unchangedCopy(copy, other) : {};
      if (typeof choice === 'object') {
        await resolveByText(copy, { content: choice.content, ...condition }, choice.base);
        return choice.base.id;
      }
      if (choice === 'both') {
        await keepBoth(copy, ownId, separateTitle);
        return original?.id ?? ownId;
      }
      if (original) {
        const keep = choice === 'current' ? 'this' : 'other';
        await resolve(copy, original, { keep, ...condition });
        return original.id;
      }
      await remove(copy);
      return null;
    },
    // The versions on the page may be old.
    onError: (error) => {
      onNewer(error);
      return refresh();
    },
    onSuccess: async (noteId) => {
      onResolved();
      notifications.show({ message: 'Conflict resolved.' });
      void refresh();
      await (noteId === null
        ? navigate({
            to: '/companies/$companyId/notes',
            params: { companyId },
            ignoreBlocker: true,
          })
        : navigate({
            to: '/companies/$companyId/notes/$noteId',
            params: { companyId, noteId },
            ignoreBlocker: true,
          }));
      // The way back to this page begins with what the server says now.
      void client.resetQueries({ queryKey: keys.note(companyId, copy.id) });
    },
  });
};
