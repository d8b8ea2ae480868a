import { useEffect } from 'react';
import { singleKeyShortcuts } from './single-key-shortcuts.ts';

type Shortcuts = { readonly onSearch: () => void; readonly onHelp: () => void };

/** Ctrl+K (⌘K) and `/` open the search, `?` the list of shortcuts; the letters only outside fields and dialogs. */
export const useShortcuts = ({ onSearch, onHelp }: Shortcuts): void => {
  useEffect(() => {
    const handle = (event: KeyboardEvent): void => {
      const action = actionOf(event);
      if (action !== null && !event.defaultPrevented && !isDialogOpen()) {
        event.preventDefault();
        (action === 'search' ? onSearch : onHelp)();
      }
    };
    window.addEventListener('keydown', handle);
    return () => window.removeEventListener('keydown', handle);
  }, [onSearch, onHelp]);
};

const isDialogOpen = (): boolean => document.querySelector('[role="dialog"]') !== null;

/** By the character, which keyboards have on different keys. */
const actionOf = (event: KeyboardEvent): 'search' | 'help' | null => {
  const { key, ctrlKey, metaKey, altKey, target } = event;
  if (key.toLowerCase() === 'k' && ctrlKey !== metaKey && !altKey) {
    return 'search';
  }
  const isLetter = !ctrlKey && !metaKey && !altKey && !isField(target);
  if (!isLetter || (key !== '/' && key !== '?') || !singleKeyShortcuts.areOn()) {
    return null;
  }
  return key === '/' ? 'search' : 'help';
};

const isField = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable || target.matches('input, textarea, select'));
