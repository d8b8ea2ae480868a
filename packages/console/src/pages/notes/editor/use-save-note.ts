import type { Schema } from '@commonplace/client';
import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { savingApiOf } from '../../../api/api.ts';
import { currentNoteIn } from '../../../api/problems.ts';
import { keys } from '../../../api/query-keys.ts';
import { countNotes } from '../../../components/count-notes.ts';
import type { NoteFormHandle } from './note-form.tsx';
import { changedFields, textOf, type NoteText } from '../note-text.ts';
import { removeDraft, type DraftName } from './drafts.ts';
import { findSent } from './find-sent.ts';
import { mergeNoteTexts } from './merge-note-texts.ts';
import type { Note } from './use-draft-start.ts';

/** The base names note and revision, so that no text is saved to another note. */
export type Save = {
  readonly text: NoteText;
  readonly base: Note;
  readonly isStaying: boolean;
  /** Whether a new title is also that in the links of other notes. */
  readonly updatesLinks: boolean;
  /** This text, and what was sent over the base before without a response. */
  readonly sent: readonly NoteText[];
};

/** What became of a save: the saved version, or the version of someone else that it does not fit. */
export type Saved =
  | { readonly note: Note }
  | { readonly theirs: Note; readonly text: NoteText; readonly base: Note };

type Options = {
  readonly draftName: DraftName;
  /** The form, whose text may be newer than the saved one. */
  readonly formNow: () => NoteFormHandle | null;
  readonly onConflict: (theirs: Note, text: NoteText, base: Note) => void;
  readonly onStayed: (base: Note) => void;
  /** It is saved, and the page left, which may be there for a while yet. */
  readonly onLeft: () => void;
};

/** Someone who saves faster than this page is not overtaken; the choice is the operator's then. */
const attemptsMax = 5;

/** Saves a note over the revision it was based on. Newer changes of others are merged, or returned. */
export const useSaveNote = ({ draftName, formNow, ...on }: Options) => {
  const client = useQueryClient();
  const navigate = useNavigate();
  const isMounted = useIsMounted();
  return useMutation({
    mutationFn: (save: Save) => saveMerged(save),
    onSuccess: async (saved, { text, base, isStaying }) => {
      const refresh = () => void client.invalidateQueries({ queryKey: keys.notes(base.companyId) });
      if (!isMounted.current) {
        // The operator is on another page by now.
        refresh();
        return;
      }
      const form = formNow();
      const present = form?.read();
      const newer = present && changedFields(text, present).length > 0 ? present : null;
      if (!('note' in saved)) {
        // What was written since belongs to the text as sent, so its base goes with it.
        on.onConflict(saved.theirs, newer ?? saved.text, newer ? base : saved.base);
        return;
      }
      const { note } = saved;
      const { companyId, id: noteId } = note;
      client.setQueryData(keys.note(companyId, noteId), note);
      refresh();
      if (isStaying || newer) {
        // If others' changes were merged in, they reach the text as a newer revision does.
        const isAsSent = changedFields(text, textOf(note)).length === 0;
        on.onStayed(isAsSent ? note : { ...note, ...text, revision: note.revision - 1 });
        notifications.show({ message: 'Saved.' });
        return;
      }
      await navigate({
        to: '/companies/$companyId/notes/$noteId',
        params: { companyId, noteId },
        ignoreBlocker: true,
      });
      on.onLeft();
      removeDraft(draftName);
    },
  });
};

const useIsMounted = () => {
  const isMounted = useRef(false);
  useEffect(() => {
    isMounted.current = true;
    return () => {
      isMounted.current = false;
    };
  }, []);
  return isMounted;
};

/** Saves over the base, or merged with what others have saved since. */
export const saveMerged = async ({
  text,
  base,
  updatesLinks,
  sent,
}: Omit<Save, 'isStaying'>): Promise<Saved> => {
  let mine = text;
  let onto = base;
  for (let attempt = 1; ; attempt += 1) {
    const isRename = updatesLinks && mine.title !== onto.title;
    const result = await (isRename ? renameAndPut(mine, onto) : put(mine, onto));
    if (!('theirs' in result)) {
      return result;
    }
    const { theirs } = result;
    // What was sent over the base is the operator's own, and so is no change to be merged.
    const own = attempt === 1 ? await findSent({ sent, base, newest: theirs }) : null;
    onto = own ?? onto;
    const merged = await mergeNoteTexts(
      { base: textOf(onto), mine, theirs: textOf(theirs) },
      new AbortController().signal,
    );
    if (!merged || attempt === attemptsMax) {
      return { theirs, text: mine, base: onto };
    }
    mine = merged;
    onto = theirs;
  }
};

type Written<Result = Note> = { readonly note: Result } | { readonly theirs: Note };

type Renamed = Note & { readonly changed?: Schema<'NoteChanges'> };

/** Renames the note and the links that lead to it first, and then saves the rest over that version. */
const renameAndPut = async (text: NoteText, base: Note): Promise<Written> => {
  const { title } = text;
  const renamed = await orTheirs<Renamed>(() =>
    savingApiOf(base.companyId).patch('/api/notes/{id}', {
      params: placeOf(base),
      body: { edits: [{ op: 'set', title, updateLinks: true }] },
    }),
  );
  if (!('note' in renamed)) {
    return renamed;
  }
  sayLinksLeft(renamed.note);
  return put(text, renamed.note);
};

const sayLinksLeft = ({ changed }: Renamed): void => {
  const left = changed?.linksNotUpdated ?? [];
  if (left.length > 0) {
    notifications.show({
      color: 'yellow',
      autoClose: false,
      message: `Links in ${countNotes(left.length)} keep the former title: the new one does not fit there, or you may not change them. The list of broken links has them.`,
    });
  }
};

const put = (text: NoteText, base: Note): Promise<Written> =>
  orTheirs(() =>
    savingApiOf(base.companyId).put('/api/notes/{id}', {
      params: placeOf(base),
      // Properties are data of API clients and stay as they are.
      body: { ...text, properties: base.properties },
    }),
  );

const placeOf = ({ id, revision }: Note) => ({
  path: { id },
  header: { 'If-Match': `"${revision}"` },
});

/** The written note, or that of someone else if the base is not the newest. */
const orTheirs = async <Result = Note>(
  write: () => Promise<{ readonly data: unknown }>,
): Promise<Written<Result>> => {
  try {
    return { note: (await write()).data as Result };
  } catch (error) {
    const theirs = currentNoteIn(error);
    if (theirs) {
      return { theirs };
    }
    throw error;
  }
};
