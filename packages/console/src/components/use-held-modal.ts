import { useEffect, useState } from 'react';
import { modals } from './modals.ts';

/**
 * Holds the dialog that it is used in while something in it would be lost. Returns what closes it.
 */
export const useHeldModal = (isHeld: boolean): (() => void) => {
  const [id] = useState(() => modals.current()?.id);
  useEffect(() => {
    if (id === undefined || !isHeld) {
      return undefined;
    }
    modals.hold(id, true);
    return () => modals.hold(id, false);
  }, [id, isHeld]);
  return () => id !== undefined && modals.close(id);
};
