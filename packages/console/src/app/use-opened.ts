import { useEffect, useState } from 'react';

/**
 * Whether a dialog is open, never on its first render: a dialog that is open from its first render does not return the
 * focus when it closes.
 */
export const useOpened = (isOpen: boolean): boolean => {
  const [opened, setOpened] = useState(false);
  useEffect(() => setOpened(isOpen), [isOpen]);
  return opened;
};
