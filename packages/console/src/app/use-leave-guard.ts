import { useBlocker } from '@tanstack/react-router';
import { confirmLeaving } from '../components/confirm.tsx';

/** Confirms before unsaved work is left, also while it is being saved, because saving may fail. */
export const useLeaveGuard = (hasUnsavedWork: boolean): void => {
  useBlocker({
    shouldBlockFn: async () => hasUnsavedWork && !(await confirmLeaving()),
    enableBeforeUnload: () => hasUnsavedWork,
  });
};
