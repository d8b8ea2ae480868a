/** The element with the buttons that accept a proposal nevertheless. */
export const waysToAcceptId = 'ways-to-accept';

/** Shows and marks these buttons; the first has the focus then. */
export const showWaysToAccept = (): void => {
  const ways = document.querySelector<HTMLElement>(`#${waysToAcceptId}`);
  ways?.scrollIntoView({ block: 'center' });
  ways?.querySelector('button')?.focus({ preventScroll: true });
};
