import { trackFocus } from './track-focus.ts';

/**
 * A button that loads is disabled, and so are the fields of a form that is saved. A disabled control loses the focus: the next Tab
 * and a screen reader begin somewhere else. It gets the focus back when it is enabled again, unless something else has it by then.
 */
export const keepFocusOfBusyControls = (): void => {
  const last = trackFocus((element) => element);
  const giveBack = ({ target }: MutationRecord): void => {
    const control = last();
    if (
      target.contains(control) &&
      document.activeElement === document.body &&
      isEnabled(control)
    ) {
      control.focus({ preventScroll: true });
    }
  };
  const observer = new MutationObserver((changes) => changes.forEach(giveBack));
  observer.observe(document, { subtree: true, attributeFilter: ['disabled'] });
};

const isEnabled = (control: Element | null): control is HTMLElement =>
  control instanceof HTMLElement && control.isConnected && !control.matches(':disabled');
