import { useEffect, useState } from 'react';
import { isDialogOpen } from '../../../app/palette/single-key-of.ts';

/** Whether the editor has the window for itself, without navigation and details. Escape ends it, and so does leaving. */
export const useFocusMode = () => {
  const [isOn, setIsOn] = useState(false);
  useEffect(() => {
    if (!isOn) {
      return undefined;
    }
    const root = document.documentElement;
    root.dataset['focusMode'] = '';
    const end = ({ key, defaultPrevented }: KeyboardEvent): void => {
      // A completion, a search or a dialog that is open closes first.
      if (key === 'Escape' && !defaultPrevented && !isDialogOpen()) {
        setIsOn(false);
      }
    };
    window.addEventListener('keydown', end);
    return () => {
      delete root.dataset['focusMode'];
      window.removeEventListener('keydown', end);
    };
  }, [isOn]);
  return { isOn, toggle: () => setIsOn(!isOn) };
};
