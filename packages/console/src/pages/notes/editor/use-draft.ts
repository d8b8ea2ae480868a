import { useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from 'react';
import { countSignOuts, removeStored, writeStored } from '../../../api/stored-drafts.ts';

/** Where a draft is, and what it is. */
type Kept = {
  /** Null: nothing is kept. */
  readonly draftKey: string | null;
  /** What is to be kept as it is now; null: nothing is unsaved. */
  readonly read: () => object | null;
};

/** What is kept from now on, because the rest is saved. */
export type KeptOnLeaving = Kept & {
  /** The part of the page is gone; whether something that was written meanwhile is kept. */
  readonly onGone?: (isKept: boolean) => void;
};

type DraftOptions = Kept & {
  /** Whether something is unsaved, as far as it is rendered. */
  readonly isChanged: boolean;
  /** One of the two is another value after each change that is rendered. */
  readonly watched: readonly [unknown, unknown];
};

/** What a page does with the draft of a part of it. */
export type DraftHandle = {
  /** Removes the draft, and keeps none any more: the text is saved. The part may be there for a while yet. */
  readonly forgetDraft: () => void;
};

const draftMs = 500;

/**
 * Keeps unsaved work in the browser: a moment after each change, and what is newer as its part of the page or the whole page
 * goes.
 */
export const useDraft = (options: DraftOptions) => {
  const { isChanged, watched } = options;
  const [one, other] = watched;
  const stored = useStoredDraft(options);
  const { draftKey, isLeaving, keep, remove } = stored;
  /** Whether the browser has stored it; null: not tried yet. */
  const [isKept, setIsKept] = useState<boolean | null>(null);
  const keepInTime = useEffectEvent(() => {
    const isNewestKept = keep();
    if (!isLeaving()) {
      setIsKept(isNewestKept);
    }
  });
  const removeUnneeded = useEffectEvent(remove);
  useEffect(() => {
    if (!isChanged) {
      removeUnneeded();
      return undefined;
    }
    const timer = setTimeout(() => keepInTime(), draftMs);
    return () => clearTimeout(timer);
  }, [draftKey, one, other, isChanged]);
  useLastWord(stored);
  const { forget, leave } = stored;
  return { keep, forget, leave, isKept: isChanged ? isKept : null };
};

/** Where the draft is stored, and what becomes of it. */
const useStoredDraft = ({ draftKey, read, isChanged }: DraftOptions) => {
  const isForgotten = useRef(false);
  const leaving = useRef<KeptOnLeaving>(null);
  const [signOuts] = useState(countSignOuts);
  const keep = (): boolean => {
    const place = leaving.current ?? { draftKey, read };
    if (isForgotten.current || signOuts !== countSignOuts() || place.draftKey === null) {
      return false;
    }
    const draft = place.read();
    if (draft) {
      return writeStored(place.draftKey, draft);
    }
    if (isChanged || leaving.current) {
      // What was typed and stored is as it was before, or saved.
      removeStored(place.draftKey);
    }
    return false;
  };
  const remove = (): void => {
    if (draftKey !== null) {
      removeStored(draftKey);
    }
  };
  const forget = (): void => {
    isForgotten.current = true;
    remove();
  };
  /** Returns whether there is something newer than what is saved, to be kept. */
  const leave = (kept: KeptOnLeaving | null): boolean => {
    leaving.current = kept;
    keep();
    if (kept && kept.draftKey !== draftKey) {
      remove();
    }
    return kept !== null && kept.read() !== null;
  };
  const isLeaving = (): boolean => leaving.current !== null;
  const sayGone = (isKept: boolean): void => leaving.current?.onGone?.(isKept);
  return { draftKey, keep, remove, forget, leave, isLeaving, sayGone };
};

type LastWord = {
  readonly keep: () => boolean;
  readonly sayGone: (isKept: boolean) => void;
};

/** Keeps what is newest as the part of the page or the whole page goes. */
const useLastWord = ({ keep, sayGone }: LastWord): void => {
  const keepNewest = useEffectEvent(keep);
  const leave = useEffectEvent(() => sayGone(keep()));
  useEffect(() => {
    // A tab that is closed is hidden first, and so is one that a phone ends later without another word.
    const keepHidden = (): void => {
      if (document.visibilityState === 'hidden') {
        keepNewest();
      }
    };
    const keepLeft = (): void => void keepNewest();
    document.addEventListener('visibilitychange', keepHidden);
    window.addEventListener('pagehide', keepLeft);
    return () => {
      document.removeEventListener('visibilitychange', keepHidden);
      window.removeEventListener('pagehide', keepLeft);
    };
  }, []);
  // Before the editor is gone, which has the newest text.
  useLayoutEffect(() => () => leave(), []);
};
