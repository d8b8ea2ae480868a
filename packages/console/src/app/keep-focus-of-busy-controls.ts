import { trackFocus } from './track-focus.ts';

/**
 * A button that loads is disabled, and a disabled control loses the focus: the next Tab and a screen reader begin somewhere else. It gets
 * the focus back when it is enabled again, unless something else has it by then.
 */
export const keepFocusOfBusyControls = (): void => {
  const last = trackFocus((element) => element);
  const giveBack = ({ target }: MutationRecord): void => {
    if (target === last() && document.activeElement === document.body && isEnabled(target)) {
      target.focus({ preventScroll: true });
    }
  };
  const observer = new MutationObserver((changes) => changes.forEach(giveBack));
  observer.observe(document, { subtree: true, attributeFilter: ['disabled'] });
};

const isEnabled = (target: Node): target is HTMLElement =>
  target instanceof HTMLElement && target.isConnected && !target.matches(':disabled');
