import type { Schema } from '@commonplace/client';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { useState } from 'react';
import { apiOf, savingApiOf } from '../../../api/api.ts';
import { currentNoteIn } from '../../../api/problems.ts';
import { keys } from '../../../api/query-keys.ts';
import { nullIfNoResult } from '../../../app/workers/worker-error.ts';
import { useIsAt } from '../../../components/use-is-at.ts';
import { mergeNoteTexts } from '../editor/merge-note-texts.ts';
import { textOf } from '../note-text.ts';
import { showResolved, type Resolved } from './show-resolved.ts';

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

/** Returns the note if that has changed it. */
const resolve = async (
  copy: Pick<Note, 'id' | 'companyId'>,
  note: Note,
  body: Resolution,
): Promise<Resolved['changed']> => {
  const { data } = await savingApiOf(copy.companyId).post(
    '/api/notes/{id}/conflicts/{copyId}/resolve',
    { params: { path: { id: note.id, copyId: copy.id }, header: matching(note) }, body },
  );
  return data.revision === note.revision ? null : data;
};

/** Resolves by a text that was made from a version. Newer changes of others are merged into it. */
const resolveByText = async (
  copy: Note,
  { content, ...condition }: { readonly content: string } & CopyCondition,
  base: Note,
): Promise<Resolved['changed']> => {
  try {
    return await resolve(copy, base, { content, ...condition });
  } catch (error) {
    const theirs = newerIn(error, base.id);
    const versions = theirs && {
      base: textOf(base),
      mine: { ...textOf(base), content },
      theirs: textOf(theirs),
    };
    const merged =
      versions &&
      (await mergeNoteTexts(versions, new AbortController().signal).catch(nullIfNoResult));
    if (!merged) {
      throw error;
    }
    return resolve(copy, theirs, { content: merged.content, ...condition });
  }
};

const keepBoth = async (copy: Note, ownId: string, title: string): Promise<void> => {
  // The same text as a separate note, without a reference to the conflict.
  await savingApiOf(copy.companyId).put('/api/notes/{id}', {
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
  /**
   * Before the page is left. Returns whether it stays open, with a text that is newer than what was chosen; `onGone` is called
   * with whether such a text is kept as the page is gone.
   */
  readonly onResolved: (chosen: Chosen, onGone: (isKept: boolean) => void) => boolean;
  /** A choice failed, perhaps because of a newer version. */
  readonly onNewer: (error: Error) => void;
};

/** A choice, and the text that was written by hand then. */
export type Chosen = {
  readonly choice: Choice;
  /** Null: no text is open. Of one that is: null, if nothing is written. */
  readonly before: { readonly written: string | null } | null;
};

/** With the note that is left; null: none. */
type Ending = Resolved & { readonly noteId: string | null };

/** Resolves a conflict by a choice; `ownId` is that of the note that `both` makes of the copy. */
const resolveBy = async (
  choice: Choice,
  { copy, original, other, separateTitle }: ResolveOptions,
  ownId: string,
): Promise<Ending> => {
  const isCompared = choice !== 'both' && original !== null;
  const condition: CopyCondition = isCompared ? await unchangedCopy(copy, other) : {};
  const { copyRevision = null } = condition;
  // Who keeps or deletes the copy alone deletes the revision that was seen.
  const whole = { copy, copyRevision: copy.revision, changed: null };
  if (typeof choice === 'object') {
    const text = { content: choice.content, ...condition };
    const changed = await resolveByText(copy, text, choice.base);
    return { noteId: choice.base.id, copy, copyRevision, changed, made: null };
  }
  if (choice === 'both') {
    await keepBoth(copy, ownId, separateTitle);
    return { ...whole, noteId: original?.id ?? ownId, made: ownId };
  }
  if (original) {
    const keep = choice === 'current' ? 'this' : 'other';
    const changed = await resolve(copy, original, { keep, ...condition });
    return { noteId: original.id, copy, copyRevision, changed, made: null };
  }
  await remove(copy);
  return { ...whole, noteId: null, made: null };
};

/** Resolves a conflict by a choice, and goes to the note that is left. */
export const useResolveConflict = (options: ResolveOptions) => {
  const { copy, onResolved, onNewer } = options;
  const { companyId } = copy;
  const client = useQueryClient();
  const leave = useLeave(copy);
  // The same id for every attempt, so that a retry does not create a second note.
  const [ownId] = useState(() => crypto.randomUUID());
  const refresh = () => client.invalidateQueries({ queryKey: keys.notes(companyId) });
  return useMutation({
    mutationFn: ({ choice }: Chosen) => resolveBy(choice, options, ownId),
    // The versions on the page may be old.
    onError: (error) => {
      onNewer(error);
      return refresh();
    },
    onSuccess: async ({ noteId, ...resolved }, chosen) => {
      const isStaying = onResolved(chosen, (isKept) => isKept && leave.comeBack(noteId));
      showResolved(client, resolved);
      if (isStaying || !leave.isHere()) {
        // The page shows that it is resolved, or the operator is on another one by now.
        await refresh();
        return;
      }
      void refresh();
      await leave.goTo(noteId);
      // The way back to this page begins with what the server says now.
      void client.resetQueries({ queryKey: keys.note(companyId, copy.id) });
    },
  });
};

/** The way from the page of a conflict to the note that is left; null: none. */
const useLeave = ({ companyId, id: copyId }: Note) => {
  const router = useRouter();
  const notes = '/companies/$companyId/notes';
  const isAt = useIsAt();
  const path = `/companies/${companyId}/notes`;
  return {
    /** Not whether the choices are shown still: the page may know by another way that the conflict is resolved. */
    isHere: (): boolean => isAt(`${path}/${copyId}/conflict`),
    goTo: (noteId: string | null): Promise<void> =>
      noteId === null
        ? router.navigate({ to: notes, params: { companyId }, ignoreBlocker: true })
        : router.navigate({
            to: `${notes}/$noteId`,
            params: { companyId, noteId },
            ignoreBlocker: true,
          }),
    /** A text was still written as the page was left. */
    comeBack: (noteId: string | null): void => {
      // The operator may be on another page by now.
      if (isAt(noteId === null ? path : `${path}/${noteId}`)) {
        void router.navigate({
          to: `${notes}/$noteId/conflict`,
          params: { companyId, noteId: copyId },
          replace: true,
          ignoreBlocker: true,
        });
      }
    },
  };
};
