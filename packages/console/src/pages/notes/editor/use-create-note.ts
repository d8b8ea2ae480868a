import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useRef, useState } from 'react';
import { savingApiOf } from '../../../api/api.ts';
import { currentNoteIn } from '../../../api/problems.ts';
import { keys } from '../../../api/query-keys.ts';
import { removeDraft, writeDraft, type Draft, type DraftName } from './drafts.ts';
import type { Note } from './use-draft-start.ts';
import { saveMerged, type Saved } from './use-save-note.ts';
import type { NoteFormHandle } from './note-form.tsx';
import { changedFields, textOf, type NoteText } from '../note-text.ts';

type Creation = { readonly text: NoteText; readonly isStaying: boolean };

/**
 * Creates a note and opens it. An attempt whose response was lost may have created it: then the next one saves over what
 * the first one sent.
 */
export const useCreateNote = (draftName: DraftName, formNow: () => NoteFormHandle | null) => {
  const { companyId } = draftName;
  const client = useQueryClient();
  const navigate = useNavigate();
  // The same id for every attempt, so that a retry does not create a second note.
  const [id] = useState(() => crypto.randomUUID());
  const sent = useRef<NoteText>(null);
  return useMutation({
    mutationFn: ({ text }: Creation) => {
      const earlier = sent.current;
      sent.current ??= text;
      return createNote({ companyId, id, text, sent: earlier });
    },
    onSuccess: async (saved, { text, isStaying }) => {
      void client.invalidateQueries({ queryKey: keys.notes(companyId) });
      const form = formNow();
      const present = form?.read();
      const isSaved = 'note' in saved && present && changedFields(text, present).length === 0;
      if (present && !isSaved) {
        // It goes on as a draft of the note that there is now.
        const savedAt = new Date().toISOString();
        const draft = { ...baseOfDraft(saved, text), text: present, savedAt };
        writeDraft({ ...draftName, noteId: id }, draft);
      }
      if (present) {
        await navigate({
          to: `/companies/$companyId/notes/$noteId${isSaved && !isStaying ? '' : '/edit'}`,
          params: { companyId, noteId: id },
          ignoreBlocker: true,
        });
      }
      form?.forgetDraft();
      removeDraft(draftName);
    },
  });
};

type Attempt = {
  readonly companyId: string;
  readonly id: string;
  readonly text: NoteText;
  /** What the first attempt sent. A later one may not have arrived, and so is no base for a merge. */
  readonly sent: NoteText | null;
};

const createNote = async ({ companyId, id, text, sent }: Attempt): Promise<Saved> => {
  try {
    const { data } = await savingApiOf(companyId).put('/api/notes/{id}', {
      params: { path: { id }, header: { 'If-None-Match': '*' } },
      body: text,
    });
    return { note: data as Note };
  } catch (error) {
    const current = currentNoteIn(error);
    if (!current || sent === null) {
      throw error;
    }
    const base = { ...current, ...sent, revision: firstRevision };
    return saveMerged({ text, base, updatesLinks: false, sent: [] });
  }
};

const firstRevision = 1;

/** What an unsaved text was made from. Changes of others that a save has merged reach it as a newer revision does. */
const baseOfDraft = (saved: Saved, text: NoteText): Pick<Draft, 'base' | 'baseRevision'> => {
  if (!('note' in saved)) {
    return { base: textOf(saved.base), baseRevision: saved.base.revision };
  }
  const { revision } = saved.note;
  const isAsSent = changedFields(text, textOf(saved.note)).length === 0;
  return { base: text, baseRevision: Math.max(firstRevision, isAsSent ? revision : revision - 1) };
};
