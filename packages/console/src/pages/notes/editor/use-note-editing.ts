import { useEffect, useEffectEvent, useRef, useState, type RefObject } from 'react';
import { nullIfNoResult } from '../../../app/workers/worker-error.ts';
import type { NoteFormHandle } from './note-form.tsx';
import { changedFields, textOf, type NoteText } from '../note-text.ts';
import type { DraftName } from './drafts.ts';
import type { DraftHandle } from './use-draft.ts';
import { mergeNoteTexts } from './merge-note-texts.ts';
import type { EditBase, EditStart, Note } from './use-draft-start.ts';
import { findSent } from './find-sent.ts';
import { useSaveNote, type Save } from './use-save-note.ts';
import { useSentTexts } from './use-sent-texts.ts';

/** The state of an editor: what is edited, and what others have saved meanwhile. */
export type NoteEditing = EditStart & {
  /** The newer version that the text includes now. */
  readonly merged: Note | null;
  /** The newer version that does not fit the text. */
  readonly clash: Note | null;
  /** Another number starts the form again. */
  readonly form: number;
};

type Options = {
  /** The newest version that was loaded; null: a new note that is not saved yet. */
  readonly note: Note | null;
  readonly start: EditStart;
  readonly draftName: DraftName;
  /** A new note is saved for the first time. */
  readonly onCreated?: () => void;
};

/** The state of an editor with its changes. */
export const useNoteEditing = ({ note, start, draftName, onCreated }: Options) => {
  const [editing, setEditing] = useState<NoteEditing>({
    ...start,
    merged: null,
    clash: null,
    form: 0,
  });
  const handle = useRef<NoteFormHandle>(null);
  const conflict = useRef<DraftHandle>(null);
  const change = (next: Partial<NoteEditing>): void =>
    setEditing((previous) => ({ ...previous, ...next }));
  const sent = useSentTexts(start);
  const save = useSaveNote({
    draftName,
    formNow: () => handle.current,
    onCreated,
    onConflict: (theirs, text, base) => change({ base, text, theirs, draftAt: null, chosen: null }),
    onLeft: () => conflict.current?.forgetDraft(),
    onStayed: (base) =>
      change({ base, text: textOf(base), theirs: null, draftAt: null, clash: null }),
  });
  const findOwn = (base: EditBase, newest: Note) =>
    findSent({ sent: sent.over(base), base, newest });
  useNewerVersions({ note, editing, handle, isSaving: save.isPending, findOwn, change });
  return {
    editing,
    handle,
    conflict,
    save,
    send: (next: Omit<Save, 'sent'>): void => save.mutate({ ...next, sent: sent.add(next) }),
    sentTexts: () => sent.over(editing.base),
    /** Starts the form again with this text, based on a version. */
    restart: (text: NoteText, base: EditBase): void => {
      save.reset();
      const form = editing.form + 1;
      change({ base, text, theirs: null, draftAt: null, merged: null, clash: null, form });
    },
    compare: (theirs: Note): void =>
      change({ theirs, text: handle.current?.read() ?? start.text, chosen: null }),
  };
};

type Newer = {
  readonly note: Note | null;
  readonly editing: NoteEditing;
  readonly handle: RefObject<NoteFormHandle | null>;
  readonly isSaving: boolean;
  /** The version that a save without a response has stored, if one has. */
  readonly findOwn: (base: EditBase, newest: Note) => Promise<Note | null>;
  readonly change: (next: Partial<NoteEditing>) => void;
};

/** Merges newer versions of others into the text, or reports that they do not fit. */
const useNewerVersions = (options: Newer): void => {
  const { note, editing, handle, isSaving, findOwn, change } = options;
  const { base, theirs } = editing;
  const bringIn = useEffectEvent(async (newest: Note, signal: AbortSignal): Promise<void> => {
    // Without the revisions between, nothing is merged: the next save, or the next version, looks again.
    const own = await findOwn(base, newest).catch(() => undefined);
    if (signal.aborted || own === undefined) {
      return;
    }
    if (own) {
      // What is newer than that is brought in next.
      change({ base: own, clash: null });
      return;
    }
    let isDone = false;
    // What is written during a merge is merged again.
    while (!isDone) {
      const mine = handle.current?.read();
      const merged =
        mine &&
        (await mergeNoteTexts({ base: textOf(base), mine, theirs: textOf(newest) }, signal).catch(
          nullIfNoResult,
        ));
      const present = handle.current;
      if (signal.aborted || !mine || !present) {
        return;
      }
      if (!merged) {
        change({ clash: newest });
        return;
      }
      if (changedFields(mine, present.read()).length === 0) {
        present.bringIn(merged);
        change({ base: newest, text: merged, merged: newest, clash: null });
        isDone = true;
      }
    }
  });
  const isBehind = note !== null && note.revision > base.revision && !theirs && !isSaving;
  const newer = isBehind ? note : null;
  useEffect(() => {
    if (!newer) {
      return undefined;
    }
    const stopping = new AbortController();
    void bringIn(newer, stopping.signal);
    return () => stopping.abort();
  }, [newer, base]);
};
