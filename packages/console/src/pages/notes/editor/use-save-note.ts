import type { Schema } from '@commonplace/client';
import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { savingApiOf } from '../../../api/api.ts';
import { currentNoteIn } from '../../../api/problems.ts';
import { keys } from '../../../api/query-keys.ts';
import { nullIfNoResult } from '../../../app/workers/worker-error.ts';
import { countNotes } from '../../../components/count-notes.ts';
import { useIsAtOwnPage } from '../../../components/use-is-at.ts';
import type { NoteFormHandle } from './note-form.tsx';
import { changedFields, textOf, type NoteText } from '../note-text.ts';
import { nameOfNote, readDraft, removeDraft, type DraftName } from './drafts.ts';
import { leaveCursor } from './cursor.ts';
import { findSent } from './find-sent.ts';
import { baseAfter, keepNewer, storedBase } from './keep-newer.ts';
import { mergeNoteTexts } from './merge-note-texts.ts';
import { isNew, type EditBase, type Note } from './use-draft-start.ts';
import { useGoOnEditing } from './use-go-on-editing.ts';

/** The base names note and revision, so that no text is saved to another note. */
export type Save = {
  readonly text: NoteText;
  readonly base: EditBase;
  readonly isStaying: boolean;
  /** Whether a new title is also that in the links of other notes. */
  readonly updatesLinks: boolean;
  /** This text, and what was sent over the base before without a response. */
  readonly sent: readonly NoteText[];
};

/** What became of a save: the saved version, or the version of someone else that it does not fit. */
export type Saved =
  | { readonly note: Note }
  | { readonly theirs: Note; readonly text: NoteText; readonly base: EditBase };

type Options = {
  readonly draftName: DraftName;
  /** A new note is there now, and the page goes on with it. */
  readonly onCreated: (() => void) | undefined;
  /** The form, whose text may be newer than the saved one. */
  readonly formNow: () => NoteFormHandle | null;
  readonly onConflict: (theirs: Note, text: NoteText, base: EditBase) => void;
  readonly onStayed: (base: EditBase) => void;
  /** What was chosen in a conflict is saved, and its page left, which may be there for a while yet. */
  readonly onLeft: () => void;
};

/** Someone who saves faster than this page is not overtaken; the choice is the operator's then. */
const attemptsMax = 5;

/** Saves a note over the revision it was based on, or creates it. Newer changes of others are merged, or returned. */
export const useSaveNote = ({ draftName, formNow, ...on }: Options) => {
  const client = useQueryClient();
  const leave = useLeaveSaved({ draftName, formNow, onLeft: on.onLeft });
  const isMounted = useIsMounted();
  const isAtOwnPage = useIsAtOwnPage();
  return useMutation({
    mutationFn: (save: Save) => saveMerged(save),
    onSuccess: async (saved, { text, base, isStaying }) => {
      const refresh = () => void client.invalidateQueries({ queryKey: keys.notes(base.companyId) });
      if (!isMounted.current) {
        // The operator is on another page by now.
        refresh();
        if (isNew(base) && 'note' in saved) {
          removeSaved(draftName, text);
        }
        return;
      }
      const form = formNow();
      const present = form?.read();
      const newer = present && changedFields(text, present).length > 0 ? present : null;
      if (isNew(base)) {
        on.onCreated?.();
      }
      if (!('note' in saved)) {
        // What was written since belongs to the text as sent, so its base goes with it.
        const from = newer && !isNew(base) ? base : saved.base;
        on.onConflict(saved.theirs, newer ?? saved.text, from);
        return;
      }
      const { note } = saved;
      const { companyId, id: noteId } = note;
      client.setQueryData(keys.note(companyId, noteId), note);
      refresh();
      // Who has opened another page, whose code may be on its way still, is not led back.
      if (isStaying || newer || !isAtOwnPage()) {
        on.onStayed(baseAfter(note, text));
        notifications.show({ message: 'Saved.' });
        return;
      }
      await leave(note, text);
    },
  });
};

/** Leads from a form, or a conflict, whose text was saved to the note. */
const useLeaveSaved = ({
  draftName,
  formNow,
  onLeft,
}: Pick<Options, 'draftName' | 'formNow' | 'onLeft'>) => {
  const navigate = useNavigate();
  const { isAtNote, goOnEditing } = useGoOnEditing();
  return async (note: Note, text: NoteText): Promise<void> => {
    const { companyId, id: noteId } = note;
    const params = { companyId, noteId };
    const form = formNow();
    if (form) {
      keepNewer(form, {
        draftName: nameOfNote(draftName, noteId),
        base: baseAfter(note, text),
        onGone: (isKept) => {
          if (isKept && isAtNote(params)) {
            leaveCursor(noteId, form.cursor());
            goOnEditing(params);
          }
        },
      });
    }
    await navigate({ to: '/companies/$companyId/notes/$noteId', params, ignoreBlocker: true });
    if (!isAtNote(params)) {
      // The form may still be there, as where the code of the page cannot be loaded.
      formNow()?.leave(null);
    }
    if (!form) {
      onLeft();
      removeDraft(draftName);
    }
  };
};

/** A new note has no draft any more once it is saved, but what was written since. */
const removeSaved = (draftName: DraftName, text: NoteText): void => {
  const draft = readDraft(draftName);
  if (draft && changedFields(draft.text, text).length === 0) {
    removeDraft(draftName);
  }
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
const saveMerged = async ({
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
    ).catch(nullIfNoResult);
    if (!merged || attempt === attemptsMax) {
      return { theirs, text: mine, base: storedBase(onto) };
    }
    mine = merged;
    onto = theirs;
  }
};

type Written<Result = Note> = { readonly note: Result } | { readonly theirs: Note };

type Renamed = Note & { readonly changed?: Schema<'NoteChanges'> };

/** Renames the note and the links that lead to it first, and then saves the rest over that version. */
const renameAndPut = async (text: NoteText, base: EditBase): Promise<Written> => {
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

const put = (text: NoteText, base: EditBase): Promise<Written> =>
  orTheirs(() =>
    savingApiOf(base.companyId).put('/api/notes/{id}', {
      params: placeOf(base),
      // Properties are data of API clients and stay as they are.
      body: { ...text, properties: base.properties },
    }),
  );

const placeOf = (base: EditBase) => ({
  path: { id: base.id },
  header: isNew(base) ? { 'If-None-Match': '*' as const } : { 'If-Match': `"${base.revision}"` },
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
