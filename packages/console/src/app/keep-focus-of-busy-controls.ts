import { trackFocus } from './track-focus.ts';

/** By then a control that was locked for a request is unlocked, unless there is nothing left to do with it. */
const graceMs = 300;

/**
 * A button that loads is disabled, and so are the fields of a form that is saved. A disabled control loses the focus: the next Tab
 * and a screen reader begin somewhere else. It gets the focus back when it is enabled again, unless something else has it by then.
 * The button of a form that was saved, and in which nothing is changed now, leaves it to the field before.
 */
export const keepFocusOfBusyControls = (): void => {
  const lastFocused = trackFocus((element) => ({
    element,
    isByKeyboard: element.matches(':focus-visible'),
  }));
  const giveBack = ({ target }: MutationRecord): void => {
    const control = lastFocused()?.element ?? null;
    if (
      target.contains(control) &&
      document.activeElement === document.body &&
      isEnabled(control)
    ) {
      control.focus({ preventScroll: true });
    }
  };
  const leave = (): void => {
    const last = lastFocused();
    // Not after a tap: a field opens the keyboard of a phone.
    if (last?.isByKeyboard && document.activeElement === document.body && isDone(last.element)) {
      fieldBefore(last.element)?.focus({ preventScroll: true });
    }
  };
  const observer = new MutationObserver((changes) => {
    changes.forEach(giveBack);
    setTimeout(leave, graceMs);
  });
  observer.observe(document, { subtree: true, attributeFilter: ['disabled', 'data-loading'] });
};

const isDone = (control: Element): control is HTMLButtonElement =>
  control instanceof HTMLButtonElement &&
  control.isConnected &&
  control.disabled &&
  !control.hasAttribute('data-loading');

const fields = ':is(input, select, textarea):enabled:not([type=hidden])';

const fieldBefore = (button: HTMLButtonElement): HTMLElement | undefined =>
  [...(button.form?.querySelectorAll<HTMLElement>(fields) ?? [])].findLast(
    (field) => button.compareDocumentPosition(field) & Node.DOCUMENT_POSITION_PRECEDING,
  );

const isEnabled = (control: Element | null): control is HTMLElement =>
  control instanceof HTMLElement && control.isConnected && !control.matches(':disabled');
