import { useBlocker } from '@tanstack/react-router';
import { confirmLeaving } from '../components/confirm.tsx';

/** Confirms before unsaved work is left, also while it is being saved, because saving may fail. */
export const useLeaveGuard = (hasUnsavedWork: () => boolean, onLeave?: () => void): void => {
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
