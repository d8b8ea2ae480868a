/** How long a dialog may take to close, a control to be enabled again, and rows to be rendered. */
const watchedMs = 3_000;

/**
 * Remembers where a control is that may be gone once it has done its work. Call what it returns then: the focus goes to the
 * control or to what is there in its place, the link of its row or of the next one, unless something else has it by then or
 * the operator has clicked somewhere else meanwhile.
 */
export const keepPlace = (control: HTMLElement): (() => void) => {
  const rows = rowsFrom(control);
  let isLeftByClick = false;
  const noteClick = ({ target }: PointerEvent): void => {
    isLeftByClick ||= target instanceof Element && !control.contains(target) && !isClosing(target);
  };
  const inTime = { capture: true };
  window.addEventListener('pointerdown', noteClick, inTime);
  const stop = (): void => window.removeEventListener('pointerdown', noteClick, inTime);
  return () => {
    const endMs = performance.now() + watchedMs;
    let given: HTMLElement | null = null;
    const giveBack = (): void => {
      const holder = document.activeElement;
      const isLost = holder === null || holder === document.body;
      const isLeft = isLost ? given?.isConnected : holder !== given && !isClosing(holder);
      if (isLeftByClick || isLeft || performance.now() > endMs) {
        stop();
        return;
      }
      if (isLost && !(control.isConnected && control.matches(':disabled'))) {
        given = targetOf(control, rows);
        given?.focus({ preventScroll: true });
      }
      // Its row may be gone a moment after it.
      requestAnimationFrame(giveBack);
    };
    giveBack();
  };
};

/** The dialog that confirmed it has the focus until it is gone, and can give it back to no control that was disabled. */
const isClosing = (holder: Element): boolean => holder.closest('[role="dialog"]') !== null;

/** The row of a control, what is below it, and what is above it, nearest first. */
const rowsFrom = (control: HTMLElement): readonly Element[] => {
  let row = control.parentElement;
  while (row !== null && row.querySelector('a') === null) {
    row = row.parentElement;
  }
  const all = [...(row?.parentElement?.children ?? [])];
  const at = row ? all.indexOf(row) : 0;
  return [...all.slice(at), ...all.slice(0, at).toReversed()];
};

const targetOf = (control: HTMLElement, rows: readonly Element[]): HTMLElement | null => {
  if (control.isConnected) {
    return control;
  }
  const row = rows.find((each) => each.isConnected && each.querySelector('a') !== null);
  return row?.querySelector('a') ?? document.querySelector<HTMLElement>('#main');
};
