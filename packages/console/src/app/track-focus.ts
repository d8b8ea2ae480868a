/**
 * Notes of the element that has the focus, or had it last, what `noteOf` says when it gets it. Returns a function that reads
 * the note; null: nothing had the focus, or a click somewhere else has left it, also where nothing takes the focus.
 */
export const trackFocus = <Note>(noteOf: (element: Element) => Note): (() => Note | null) => {
  let last: { readonly element: Element; readonly note: Note } | null = null;
  const inTime = { capture: true };
  window.addEventListener(
    'focusin',
    ({ target }) => {
      last = target instanceof Element ? { element: target, note: noteOf(target) } : null;
    },
    inTime,
  );
  window.addEventListener(
    'pointerdown',
    ({ target }) => {
      last = last?.element.contains(target as Node) ? last : null;
    },
    inTime,
  );
  return () => last?.note ?? null;
};
