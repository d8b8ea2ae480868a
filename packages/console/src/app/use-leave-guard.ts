import { useBlocker } from '@tanstack/react-router';
import { useEffect } from 'react';
import { unsavedWork } from '../api/unsaved-work.ts';
import { confirmLeaving } from '../components/confirm.tsx';

/** The draft of unsaved work. */
type Draft = {
  /** Keeps the work in this browser; false if that is not possible. */
  readonly keep: () => boolean;
  readonly discard: () => void;
};

/** Confirms before unsaved work is left, also while it is being saved, because saving may fail. */
export const useLeaveGuard = (hasUnsavedWork: () => boolean, draft?: Draft): void => {
  useEffect(() => unsavedWork.add(hasUnsavedWork), [hasUnsavedWork]);
  useBlocker({
    shouldBlockFn: async () => {
      if (!hasUnsavedWork()) {
        return false;
      }
      const choice = await confirmLeaving({ isKept: draft?.keep() ?? false });
      if (choice === 'discard') {
        draft?.discard();
      }
      return choice === 'stay';
    },
    enableBeforeUnload: hasUnsavedWork,
  });
};

type Leaving = {
  /** Texts that were not saved and are kept in this browser, which will be lost too. */
  readonly drafts: number;
};

/** For what cannot be taken back once it has begun, such as signing out. Resolves with false if the operator stays. */
export const confirmLeavingPage = async ({ drafts }: Leaving): Promise<boolean> =>
  (drafts === 0 && !unsavedWork.exists()) ||
  (await confirmLeaving({ isKept: false, drafts })) === 'leave';
