import { startTransition, useEffect, useEffectEvent, useRef, useState } from 'react';

/** Rows this far outside the window, in pixels, are rendered too, so that they are there when one scrolls to them. */
const marginPx = 1_500;

/** The height of a row that was measured last; before that, a guess. */
let rowPx = 35;

/** The height of rows that were never rendered, in pixels. */
export const guessHeightPx = (rows: number): number => rows * rowPx;

type Report = (entry: IntersectionObserverEntry) => void;

const reports = new WeakMap<Element, Report>();
let observer: IntersectionObserver | undefined;

/** Reports at once, and whenever it changes, whether an element is near the window; its height comes without a layout. */
export const observeNearness = (element: Element, report: Report) => {
  observer ??= new IntersectionObserver(
    (entries) => {
      startTransition(() => {
        for (const entry of entries) {
          reports.get(entry.target)?.(entry);
        }
      });
    },
    { rootMargin: `${marginPx}px 0px` },
  );
  reports.set(element, report);
  observer.observe(element);
  return () => {
    observer?.unobserve(element);
    reports.delete(element);
  };
};

export type BlockWindow = {
  readonly rows: number;
  readonly isWindowed: boolean;
  /** The height it had when it was rendered last. */
  readonly knownPx: number | undefined;
  /** Says that the block is rendered (null), or only its height, in pixels; `undefined`: it is gone. */
  readonly onChange: (heightPx: number | null | undefined) => void;
};

/**
 * Whether a block of rows is rendered, or only its height: null, or the height in pixels. Blocks that are not windowed
 * and those near the window are rendered, and one that has the focus stays.
 */
export const useWindow = ({ rows, isWindowed, knownPx, onChange }: BlockWindow) => {
  const block = useRef<HTMLTableSectionElement>(null);
  const [heightPx, setHeightPx] = useState(() =>
    isWindowed ? (knownPx ?? guessHeightPx(rows)) : null,
  );
  const change = useEffectEvent((next: number | null) => {
    // What is not rendered has no height of its own.
    if (next !== null && heightPx === null) {
      rowPx = next / rows;
    }
    setHeightPx(next);
    onChange(next);
  });
  const leave = useEffectEvent(() => onChange(undefined));
  useEffect(() => {
    const element = block.current;
    if (!isWindowed || !element) {
      setHeightPx(null);
      return undefined;
    }
    const unobserve = observeNearness(element, ({ isIntersecting, boundingClientRect }) => {
      if (isIntersecting || element.contains(document.activeElement)) {
        change(null);
      } else {
        change(boundingClientRect.height);
      }
    });
    return () => {
      unobserve();
      leave();
    };
  }, [rows, isWindowed]);
  return { block, heightPx };
};
