import { useEffect } from 'react';

/**
 * Keeps keys that are typed while a dialog opens from the page behind it, where they could be shortcuts, and types them into the
 * first field of the dialog once that has the focus.
 */
export const useHeldKeys = (isOpening: boolean): void =>
  useEffect(() => (isOpening ? holdKeys() : undefined), [isOpening]);

/** Holds keys until a dialog has the focus; returns what ends it before. */
const holdKeys = (): (() => void) => {
  let typed = '';
  const hold = (event: KeyboardEvent): void => {
    const { key, ctrlKey, metaKey, altKey } = event;
    const isText = key.length === 1;
    if (ctrlKey || metaKey || altKey || !(isText || key === 'Backspace' || key === 'Enter')) {
      return;
    }
    event.preventDefault();
    event.stopImmediatePropagation();
    typed = isText ? typed + key : key === 'Backspace' ? typed.slice(0, -1) : typed;
  };
  const deliver = ({ target }: FocusEvent): void => {
    if (!(target instanceof HTMLElement) || !target.closest('[role="dialog"]')) {
      return;
    }
    release();
    if (typed !== '' && target.matches('input, textarea')) {
      // The only way to insert text as if it were typed, which keeps the field's own history.
      document.execCommand('insertText', false, typed);
    }
  };
  const release = (): void => {
    window.removeEventListener('keydown', hold, { capture: true });
    window.removeEventListener('focusin', deliver);
  };
  window.addEventListener('keydown', hold, { capture: true });
  window.addEventListener('focusin', deliver);
  return release;
};
