/** The ids of the notes that one sees, between the header and the bar of actions, in the order of the page. */
export const idsInView = (): readonly string[] => {
  const start = boxOf('.app-header')?.bottom ?? 0;
  const end = boxOf('.bulk-bar')?.top ?? window.innerHeight;
  return [...document.querySelectorAll<HTMLElement>('input[data-note]')]
    .filter((box) => {
      const { top, bottom } = box.getBoundingClientRect();
      return top >= start && bottom <= end;
    })
    .map((box) => box.dataset['note'] ?? '');
};

const boxOf = (selector: string): DOMRect | undefined =>
  document.querySelector(selector)?.getBoundingClientRect();
