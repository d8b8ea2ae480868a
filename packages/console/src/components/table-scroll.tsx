import { useEffect, useLayoutEffect, useRef, useState } from 'react';

type TableScrollProps = {
  /** The accessible name of the table. */
  readonly label: string;
  /** In pixels; in less space the table scrolls. Without it, only if its words do not fit. */
  readonly minWidth?: number;
  readonly maxHeight?: number;
  /** On a phone each row is a stack of cells with the names of their columns. False for what reads well in columns there. */
  readonly isStackedOnPhone?: boolean;
  readonly children: React.ReactNode;
};

/** Lets a wide table scroll, also by keyboard; where all of it is visible, Tab does not stop at it. Mantine's own would load a scroll area and a positioning library. */
export const TableScroll = ({
  label,
  minWidth = 0,
  maxHeight,
  isStackedOnPhone = true,
  children,
}: TableScrollProps) => {
  const box = useRef<HTMLDivElement>(null);
  const [scrolls, setScrolls] = useState(false);
  // After each rendering, because columns come and go.
  useLayoutEffect(() => {
    if (box.current && isStackedOnPhone) {
      nameColumns(box.current);
    }
    box.current?.querySelector('table')?.setAttribute('aria-label', label);
  });
  useEffect(() => (box.current ? watchOverflow(box.current, setScrolls) : undefined), []);
  return (
    <div
      ref={box}
      className="table-scroll mantine-focus-auto"
      data-stacked={isStackedOnPhone || undefined}
      {...(scrolls ? { role: 'group', 'aria-label': label, tabIndex: 0 } : {})}
      style={{ maxHeight }}
    >
      <div style={{ '--table-width': `${minWidth}px` } as React.CSSProperties}>{children}</div>
    </div>
  );
};

/** Makes the name of each column known to the style sheet, which writes it beside the cells of a stacked row. */
const nameColumns = (box: HTMLElement): void => {
  for (const [index, header] of [...box.querySelectorAll('thead th')].entries()) {
    box.style.setProperty(`--column-${index + 1}`, JSON.stringify(header.textContent ?? ''));
  }
};

/** Makes known whether the table is larger than the box, and to the style sheet whether columns go on beyond its end. */
const watchOverflow = (box: HTMLElement, onScrolls: (scrolls: boolean) => void): (() => void) => {
  const mark = (): void => {
    const wider = box.scrollWidth - box.clientWidth;
    box.toggleAttribute('data-cut', wider - Math.abs(box.scrollLeft) > 1);
    onScrolls(wider > 1 || box.scrollHeight - box.clientHeight > 1);
  };
  const observer = new ResizeObserver(mark);
  for (const sized of [box, ...box.querySelectorAll('table')]) {
    observer.observe(sized);
  }
  box.addEventListener('scroll', mark, { passive: true });
  return () => {
    observer.disconnect();
    box.removeEventListener('scroll', mark);
  };
};
