import { startTransition, useEffect, useRef, useState } from 'react';

/** Rows this far outside the window, in pixels, are rendered too, so that they are there when one scrolls to them. */
const marginPx = 1_500;

/** The height of a row that was measured last; before that, a guess. */
let rowPx = 35;

const callbacks = new WeakMap<Element, (isNear: boolean) => void>();
let observer: IntersectionObserver | undefined;

const observe = (element: Element, onChange: (isNear: boolean) => void) => {
  observer ??= new IntersectionObserver(
    (entries) => {
      startTransition(() => {
        for (const { target, isIntersecting } of entries) {
          callbacks.get(target)?.(isIntersecting);
        }
      });
    },
    { rootMargin: `${marginPx}px 0px` },
  );
  callbacks.set(element, onChange);
  observer.observe(element);
  return () => observer?.unobserve(element);
};

/**
 * Whether a block of rows is rendered, or only its height: null, or the height in pixels. Blocks that are not windowed
 * and those near the window are rendered, and one that has the focus stays.
 */
export const useWindow = (rows: number, isWindowed: boolean) => {
  const block = useRef<HTMLTableSectionElement>(null);
  const [heightPx, setHeightPx] = useState(() => (isWindowed ? rows * rowPx : null));
  useEffect(() => {
    const element = block.current;
    if (!isWindowed || !element) {
      setHeightPx(null);
      return;
    }
    return observe(element, (isNear) => {
      if (isNear) {
        setHeightPx(null);
      } else if (!element.contains(document.activeElement)) {
        const { height } = element.getBoundingClientRect();
        rowPx = height / rows;
        setHeightPx(height);
      }
    });
  }, [rows, isWindowed]);
  return { block, heightPx };
};
