import type { Schema } from '@commonplace/client';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { revisionQuery } from '../../../api/note-queries.ts';
import { changedFields, textOf, type NoteText } from '../note-text.ts';
import { readDraft, type DraftName } from './drafts.ts';

export type Note = Schema<'NoteData'>;

/** The revision being edited, the edited text, and what another writer saved in the meantime. */
export type EditStart = {
  readonly base: Note;
  readonly text: NoteText;
  readonly theirs: Note | null;
  /** When the draft was kept that the text comes from; null: from none. */
  readonly draftAt: string | null;
};

/**
 * Where editing a note starts: from the note, or from the draft of an earlier visit with the revision that it was
 * based on. Null while that is being loaded.
 */
export const useDraftStart = (note: Note, draftName: DraftName): EditStart | null => {
  const [{ draft, first }] = useState(() => ({ draft: readDraft(draftName), first: note }));
  const isUsed =
    draft !== null &&
    draft.baseRevision !== null &&
    changedFields(textOf(first), draft.text).length > 0;
  const isOlder = isUsed && draft.baseRevision !== first.revision;
  const base = useQuery({
    ...revisionQuery(note.companyId, note.id, draft?.baseRevision ?? 0),
    enabled: isOlder,
  });
  if (!isUsed) {
    return { base: first, text: textOf(first), theirs: null, draftAt: null };
  }
  const { text, savedAt: draftAt } = draft;
  if (!isOlder) {
    return { base: first, text, theirs: null, draftAt };
  }
  if (base.data) {
    return { base: { ...first, ...base.data }, text, theirs: null, draftAt };
  }
  // Without its base, a draft cannot be merged: both are displayed.
  return base.isError ? { base: first, text, theirs: first, draftAt } : null;
};
