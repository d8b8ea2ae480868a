import { useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from 'react';
import { countSignOuts, removeStored, writeStored } from '../../../api/stored-drafts.ts';

type DraftOptions = {
  /** Null: nothing is kept. */
  readonly draftKey: string | null;
  /** What is to be kept as it is now; null: nothing is unsaved. */
  readonly read: () => object | null;
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

/** What was typed and stored is as it was before. Nothing is kept. */
const takeBack = (draftKey: string): false => {
  removeStored(draftKey);
  return false;
};

/**
 * Keeps unsaved work in the browser: a moment after each change, and what is newer as its part of the page or the whole page
 * goes.
 */
export const useDraft = ({ draftKey, read, isChanged, watched }: DraftOptions) => {
  const [one, other] = watched;
  const isForgotten = useRef(false);
  const [signOuts] = useState(countSignOuts);
  /** Whether the browser has stored it; null: not tried yet. */
  const [isKept, setIsKept] = useState<boolean | null>(null);
  const keep = (): boolean => {
    if (isForgotten.current || signOuts !== countSignOuts() || draftKey === null) {
      return false;
    }
    const draft = read();
    return draft ? writeStored(draftKey, draft) : isChanged && takeBack(draftKey);
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
  const keepInTime = useEffectEvent(() => setIsKept(keep()));
  const removeUnneeded = useEffectEvent(remove);
  useEffect(() => {
    if (!isChanged) {
      removeUnneeded();
      return undefined;
    }
    const timer = setTimeout(() => keepInTime(), draftMs);
    return () => clearTimeout(timer);
  }, [draftKey, one, other, isChanged]);
  const keepNewest = useEffectEvent(() => void keep());
  useEffect(() => {
    // A tab that is closed is hidden first, and so is one that a phone ends later without another word.
    const keepHidden = (): void => {
      if (document.visibilityState === 'hidden') {
        keepNewest();
      }
    };
    const keepLeft = (): void => keepNewest();
    document.addEventListener('visibilitychange', keepHidden);
    window.addEventListener('pagehide', keepLeft);
    return () => {
      document.removeEventListener('visibilitychange', keepHidden);
      window.removeEventListener('pagehide', keepLeft);
    };
  }, []);
  // Before the editor is gone, which has the newest text.
  useLayoutEffect(() => () => keepNewest(), []);
  return { keep, forget, isKept: isChanged ? isKept : null };
};
