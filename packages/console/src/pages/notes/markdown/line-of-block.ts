/** The line of a displayed block in the source, from 1. A piece of a long note begins at a line of its own. */
export const lineOfBlock = (block: HTMLElement): number =>
  Number(block.dataset['line']) + firstLineOf(block);

/** The last line of a displayed block in the source. */
export const lastLineOfBlock = (block: HTMLElement): number =>
  Number(block.dataset['lastLine']) + firstLineOf(block);

const firstLineOf = (block: HTMLElement): number =>
  Number(block.closest<HTMLElement>('[data-first-line]')?.dataset['firstLine'] ?? 0);
