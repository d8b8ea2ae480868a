import { useEffect, useEffectEvent } from 'react';

const enter = { key: 'Enter', code: 'Enter', bubbles: true, cancelable: true };

/**
 * Keeps keys that are typed while a dialog opens from the page behind it, where they could be shortcuts, and types them into the
 * first field of the dialog once that has the focus. Escape, and a click on the page, close a dialog that is open, and also one
 * that is still to come.
 */
export const useHeldKeys = (isOpening: boolean, close: () => void): void => {
  const closeOpening = useEffectEvent(close);
  useEffect(() => (isOpening ? holdKeys(() => closeOpening()) : undefined), [isOpening]);
};

/** Holds keys until a dialog has the focus; returns what ends it before. */
const holdKeys = (close: () => void): (() => void) => {
  let typed = '';
  let isEntered = false;
  const hold = (event: KeyboardEvent): void => {
    const { key, ctrlKey, metaKey, altKey } = event;
    const isText = key.length === 1;
    if (key === 'Escape') {
      event.preventDefault();
      event.stopImmediatePropagation();
      close();
      return;
    }
    if (ctrlKey || metaKey || altKey || !(isText || key === 'Backspace' || key === 'Enter')) {
      return;
    }
    event.preventDefault();
    event.stopImmediatePropagation();
    isEntered = key === 'Enter' && typed !== '';
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
      if (isEntered) {
        // Once the text is rendered.
        setTimeout(() => target.dispatchEvent(new KeyboardEvent('keydown', enter)));
      }
    }
  };
  const release = (): void => {
    window.removeEventListener('keydown', hold, { capture: true });
    window.removeEventListener('click', close, { capture: true });
    window.removeEventListener('focusin', deliver);
  };
  window.addEventListener('keydown', hold, { capture: true });
  window.addEventListener('click', close, { capture: true });
  window.addEventListener('focusin', deliver);
  return release;
};
