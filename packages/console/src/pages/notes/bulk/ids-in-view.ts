/** The ids of the notes whose rows are in the window, in the order of the page. */
export const idsInView = (): readonly string[] =>
  [...document.querySelectorAll<HTMLElement>('input[data-note]')]
    .filter((box) => {
      const { top, bottom } = box.getBoundingClientRect();
      return top >= 0 && bottom <= window.innerHeight;
    })
    .map((box) => box.dataset['note'] ?? '');
