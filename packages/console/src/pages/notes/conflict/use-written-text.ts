import { useDebouncedCallback } from '@mantine/hooks';
import { useImperativeHandle, useRef, useState, type Ref } from 'react';
import { useLeaveGuard } from '../../../app/use-leave-guard.ts';
import type { EditorHandle } from '../editor/code-editor.tsx';
import { useDraft, type DraftHandle } from '../editor/use-draft.ts';
import type { ConflictDraft, ConflictWork } from './conflict-draft.ts';
import { chosenText, type Chosen } from './use-choices.ts';

/** What a page does with a text written by hand. */
export type WrittenHandle = DraftHandle & {
  /** Null: none is written. */
  readonly read: () => string | null;
  /**
   * The conflict is resolved: what is newer than this stays as a draft. Returns whether it is newer; `onGone` is called with
   * whether a draft stays as the text is gone.
   */
  readonly leave: (written: string | null, onGone: (isKept: boolean) => void) => boolean;
};

export type ChoicesDraft = {
  readonly key: string;
  /** What was chosen and written on an earlier visit. */
  readonly initial: ConflictWork | null;
  /** What choices and text are made of. */
  readonly versions: Omit<ConflictDraft, keyof ConflictWork>;
  readonly ref: Ref<WrittenHandle>;
};

const updateMs = 150;

/** The text written by hand. It is kept in this browser with the choices until it is saved, and guarded. */
export const useWrittenText = (work: Chosen, draft: ChoicesDraft | undefined) => {
  const [written, setWritten] = useState(draft?.initial?.written ?? null);
  // What the text was made of, though the page may show newer versions after a save that was refused.
  const [madeOf, setMadeOf] = useState(draft?.versions);
  const write = (text: string): void => {
    setMadeOf(draft?.versions);
    setWritten(text);
  };
  const editor = useRef<EditorHandle>(null);
  const read = (): string | null => (written === null ? null : (editor.current?.read() ?? written));
  const isRestored = written !== null && written === draft?.initial?.written;
  const { choices, earlier } = work;
  const hasChosen = earlier !== null || choices.some((choice) => choice !== undefined);
  const isUnsaved = (): boolean =>
    draft !== undefined && (isRestored || hasChosen || read() !== written);
  // What is typed is rendered after a pause: the changes above may be many.
  const [typed, setTyped] = useState<string | null>(null);
  const update = useDebouncedCallback(() => setTyped(read()), {
    delay: updateMs,
    flushOnUnmount: false,
  });
  const draftNow = () =>
    draft === undefined
      ? null
      : {
          ...workOn(draft.versions, { ...work, madeOf: written === null ? undefined : madeOf }),
          written: read(),
          savedAt: new Date().toISOString(),
        };
  const draftKey = draft?.key ?? null;
  const { keep, forget, leave, isKept } = useDraft({
    draftKey,
    isChanged: draft !== undefined && (isRestored || hasChosen || typed !== null),
    watched: [work, typed],
    read: () => (isUnsaved() ? draftNow() : null),
  });
  useLeaveGuard(isUnsaved, { keep, discard: forget });
  useImperativeHandle(draft?.ref, () => ({
    forgetDraft: forget,
    read,
    leave: (before, onGone) =>
      leave({ draftKey, read: () => (read() === before ? null : draftNow()), onGone }),
  }));
  return { written, write, editor, update, isKept };
};

type Work = Chosen & { readonly madeOf: ChoicesDraft['versions'] | undefined };

/**
 * The choices belong to the versions on the page. A text made of others is kept with those, and what was chosen beside it as
 * a text.
 */
const workOn = (
  versions: ChoicesDraft['versions'],
  { madeOf = versions, ...chosen }: Work,
): Omit<ConflictDraft, 'written'> => {
  const isOfThese =
    madeOf.note.revision === versions.note.revision && madeOf.other === versions.other;
  return {
    ...madeOf,
    choices: isOfThese ? chosen.choices.map((choice) => choice ?? null) : [],
    earlier: isOfThese ? chosen.earlier : chosenText(chosen),
  };
};
