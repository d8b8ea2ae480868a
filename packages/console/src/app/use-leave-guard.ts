import { useBlocker } from '@tanstack/react-router';
import { useEffect } from 'react';
import { unsavedWork } from '../api/unsaved-work.ts';
import { confirmLeaving } from '../components/confirm.tsx';

/** Confirms before unsaved work is left, also while it is being saved, because saving may fail. */
export const useLeaveGuard = (hasUnsavedWork: () => boolean, onLeave?: () => void): void => {
  useEffect(() => unsavedWork.add(hasUnsavedWork), [hasUnsavedWork]);
  useBlocker({
    shouldBlockFn: async () => {
      if (!hasUnsavedWork()) {
        return false;
      }
      const isLeaving = await confirmLeaving();
      if (isLeaving) {
        onLeave?.();
      }
      return !isLeaving;
    },
    enableBeforeUnload: hasUnsavedWork,
  });
};

/** For what cannot be taken back once it has begun, such as signing out. Resolves with false if the operator stays. */
export const confirmLeavingPage = async (): Promise<boolean> =>
  !unsavedWork.exists() || confirmLeaving();
