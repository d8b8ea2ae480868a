import { useEffect, useLayoutEffect, useRef } from 'react';

type TableScrollProps = {
  /** In pixels; in less space the table scrolls. Without it, only if its words do not fit. */
  readonly minWidth?: number;
  readonly maxHeight?: number;
  /** On a phone each row is a stack of cells with the names of their columns. False for what reads well in columns there. */
  readonly isStackedOnPhone?: boolean;
  readonly children: React.ReactNode;
};

/** Lets a wide table scroll, also by keyboard. Mantine's own would load a scroll area and a positioning library. */
export const TableScroll = ({
  minWidth = 0,
  maxHeight,
  isStackedOnPhone = true,
  children,
}: TableScrollProps) => {
  const box = useRef<HTMLDivElement>(null);
  // After each rendering, because columns come and go.
  useLayoutEffect(() => {
    if (box.current && isStackedOnPhone) {
      nameColumns(box.current);
    }
  });
  useEffect(() => (box.current ? markWhereCut(box.current) : undefined), []);
  return (
    <div
      ref={box}
      className="table-scroll mantine-focus-auto"
      data-stacked={isStackedOnPhone || undefined}
      tabIndex={0}
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

/** Makes known to the style sheet whether columns go on beyond the end of the box. */
const markWhereCut = (box: HTMLElement): (() => void) => {
  const mark = (): void => {
    const hidden = box.scrollWidth - box.clientWidth - Math.abs(box.scrollLeft);
    box.toggleAttribute('data-cut', hidden > 1);
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
