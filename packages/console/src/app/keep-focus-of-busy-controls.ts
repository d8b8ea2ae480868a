/**
 * A button that loads is disabled, and a disabled control loses the focus: the next Tab and a screen reader begin somewhere else. It gets
 * the focus back when it is enabled again, unless something else has it by then.
 */
export const keepFocusOfBusyControls = (): void => {
  let last: EventTarget | null = null;
  const inTime = { capture: true };
  window.addEventListener(
    'focusin',
    ({ target }) => {
      last = target;
    },
    inTime,
  );
  // Who clicks somewhere else meanwhile has left it, also where nothing takes the focus.
  window.addEventListener(
    'pointerdown',
    ({ target }) => {
      last = last instanceof Node && last.contains(target as Node) ? last : null;
    },
    inTime,
  );
  const giveBack = ({ target }: MutationRecord): void => {
    if (target === last && document.activeElement === document.body && isEnabled(target)) {
      target.focus({ preventScroll: true });
    }
  };
  const observer = new MutationObserver((changes) => changes.forEach(giveBack));
  observer.observe(document, { subtree: true, attributeFilter: ['disabled'] });
};

const isEnabled = (target: Node): target is HTMLElement =>
  target instanceof HTMLElement && target.isConnected && !target.matches(':disabled');
