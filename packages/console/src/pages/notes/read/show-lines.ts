import { displayedLines, shareBefore, type PlaceAtTop } from './displayed-lines.ts';
import type { LineRange } from './line-in-text.ts';

/** Below the header, with a line of what is before in sight. */
const gapPx = 112;

/** What is displayed above may still change its height: so many frames without a change are the end of it. */
const quietFrames = 20;
const framesMax = 600;

const markedMs = 4_000;

/** What an operator does to go elsewhere. */
const takeovers = ['wheel', 'touchstart', 'pointerdown', 'keydown'] as const;

/** Where the window is to be scrolled to; null: that is not displayed yet. */
type Goal = () => { readonly topPx: number; readonly isThere: boolean } | null;

/**
 * Scrolls to lines of a note as soon as they are displayed, marks them for a moment and moves the focus there. Returns what
 * ends it.
 */
export const showLines = (note: HTMLElement, lines: LineRange): (() => void) => {
  let isMarked = false;
  return scrollUntilThere(() => {
    const found = displayedLines(note, lines);
    const isThere = found !== null && found.blocks.length > 0;
    if (isThere && !isMarked) {
      isMarked = true;
      markLines(found.blocks, lines);
    }
    return found && { topPx: window.scrollY + found.topPx - gapPx, isThere };
  });
};

/** Scrolls to where the window was before, as soon as the page is as high again. Returns what ends it. */
export const scrollBack = (topPx: number): (() => void) =>
  scrollUntilThere(() => ({ topPx, isThere: Math.abs(window.scrollY - topPx) <= 1 }));

/** Scrolls to where lines of a note were in the window, as soon as they are displayed. Returns what ends it. */
export const scrollBackTo = (note: HTMLElement, { line, topPx }: PlaceAtTop): (() => void) =>
  scrollUntilThere(() => {
    const found = displayedLines(note, { from: line, to: line });
    return (
      found && { topPx: window.scrollY + found.topPx - topPx, isThere: found.blocks.length > 0 }
    );
  });

/** Scrolls to the end of the page, until it moves away no more. Returns what ends it. */
export const scrollToEnd = (): (() => void) =>
  scrollUntilThere(() => ({
    topPx: document.documentElement.scrollHeight - window.innerHeight,
    isThere: true,
  }));

/** An operator who scrolls or types meanwhile has precedence. */
const scrollUntilThere = (goal: Goal): (() => void) => {
  const over = new AbortController();
  const end = (): void => over.abort();
  for (const name of takeovers) {
    window.addEventListener(name, end, { signal: over.signal, capture: true, passive: true });
  }
  let [quiet, frames] = [0, 0];
  const step = (): void => {
    const place = over.signal.aborted ? null : goal();
    quiet = place === null || scrollTo(place.topPx) || !place.isThere ? 0 : quiet + 1;
    frames += 1;
    if (!over.signal.aborted && quiet < quietFrames && frames < framesMax) {
      requestAnimationFrame(step);
    } else {
      end();
    }
  };
  requestAnimationFrame(step);
  return end;
};

/** Whether that moved anything. */
const scrollTo = (topPx: number): boolean => {
  const before = window.scrollY;
  if (Math.abs(topPx - before) > 1) {
    window.scrollTo({ top: topPx, behavior: 'instant' });
  }
  return window.scrollY !== before;
};

const markLines = (blocks: readonly HTMLElement[], { from, to }: LineRange): void => {
  for (const block of blocks) {
    const isOfLines = block.tagName === 'PRE';
    block.style.setProperty('--from', `${isOfLines ? 100 * shareBefore(block, from) : 0}%`);
    block.style.setProperty('--to', `${isOfLines ? 100 * shareBefore(block, to + 1) : 100}%`);
    block.dataset['sought'] = '';
    setTimeout(() => delete block.dataset['sought'], markedMs);
  }
  takeFocus(blocks[0]);
};

/** The next Tab, and what a screen reader reads, begin here. */
const takeFocus = (block: HTMLElement | undefined): void => {
  if (block && !block.hasAttribute('tabindex')) {
    block.tabIndex = -1;
    block.addEventListener('blur', () => block.removeAttribute('tabindex'), { once: true });
  }
  // A new page does not take it back.
  block?.setAttribute('data-takes-focus', '');
  block?.focus({ preventScroll: true });
};
