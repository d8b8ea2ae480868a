import { useBlocker } from '@tanstack/react-router';
import { confirmLeaving } from '../components/confirm.tsx';

/** Asks before one leaves unsaved work, also while it is being saved: that may fail. */
export const useLeaveGuard = (hasUnsavedWork: boolean): void => {
  useBlocker({
    shouldBlockFn: async () => hasUnsavedWork && !(await confirmLeaving()),
    enableBeforeUnload: () => hasUnsavedWork,
  });
};
