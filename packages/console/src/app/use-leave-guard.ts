import { useBlocker } from '@tanstack/react-router';
import { useEffect } from 'react';
import { confirmLeaving } from '../components/confirm.tsx';

/** What says whether a form on the page has unsaved work. */
const guards = new Set<() => boolean>();

/** Confirms before unsaved work is left, also while it is being saved, because saving may fail. */
export const useLeaveGuard = (hasUnsavedWork: () => boolean, onLeave?: () => void): void => {
  useEffect(() => {
    guards.add(hasUnsavedWork);
    return () => void guards.delete(hasUnsavedWork);
  }, [hasUnsavedWork]);
  useBlocker({
    shouldBlockFn: async ({ next }) => {
      if (!hasUnsavedWork()) {
        return false;
      }
      const isLeaving = await confirmLeaving();
      // Where the session has ended, the operator comes back.
      if (isLeaving && next.pathname !== '/login') {
        onLeave?.();
      }
      return !isLeaving;
    },
    enableBeforeUnload: hasUnsavedWork,
  });
};

/** For what cannot be taken back once it has begun, such as signing out. Resolves with false if the operator stays. */
export const confirmLeavingPage = async (): Promise<boolean> =>
  ![...guards].some((hasUnsavedWork) => hasUnsavedWork()) || confirmLeaving();
