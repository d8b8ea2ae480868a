import { useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from 'react';
import { countSignOuts } from '../../../api/stored-drafts.ts';
import { changedFields, type NoteText } from '../note-text.ts';
import { removeDraft, writeDraft, type DraftName } from './drafts.ts';

type DraftOptions = {
  readonly draftName: DraftName;
  readonly baseRevision: number | null;
  /** The saved text. */
  readonly saved: NoteText;
  /** The text as it is rendered, a little behind what is typed. */
  readonly text: NoteText;
  /** The text as it is. */
  readonly read: () => NoteText;
};

const draftMs = 500;

/** Keeps unsaved changes in the browser: a moment after each of them, and what is newer as the form goes. */
export const useDraft = ({ draftName, baseRevision, saved, text, read }: DraftOptions) => {
  const isForgotten = useRef(false);
  const [signOuts] = useState(countSignOuts);
  const isChanged = changedFields(saved, text).length > 0;
  const keep = (): boolean =>
    !isForgotten.current &&
    signOuts === countSignOuts() &&
    writeDraft(draftName, {
      baseRevision,
      base: saved,
      text: read(),
      savedAt: new Date().toISOString(),
    });
  const forget = (): void => {
    isForgotten.current = true;
    removeDraft(draftName);
  };
  const keepInTime = useEffectEvent(keep);
  const removeUnneeded = useEffectEvent(() => removeDraft(draftName));
  useEffect(() => {
    if (!isChanged) {
      removeUnneeded();
      return undefined;
    }
    const timer = setTimeout(() => keepInTime(), draftMs);
    return () => clearTimeout(timer);
  }, [baseRevision, saved, isChanged, text]);
  const keepNewest = useEffectEvent(() => {
    if (changedFields(saved, read()).length > 0) {
      keep();
    }
  });
  // Before the editor is gone, which has the newest text.
  useLayoutEffect(() => () => keepNewest(), []);
  return { keep, forget, isChanged };
};
