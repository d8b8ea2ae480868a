type TableScrollProps = {
  /** In pixels; on a narrower screen the table scrolls. Without it, only if its words do not fit. */
  readonly minWidth?: number;
  readonly maxHeight?: number;
  readonly children: React.ReactNode;
};

/** Lets a wide table scroll, also by keyboard. Mantine's own would load a scroll area and a positioning library. */
export const TableScroll = ({ minWidth, maxHeight, children }: TableScrollProps) => (
  <div className="table-scroll mantine-focus-auto" tabIndex={0} style={{ maxHeight }}>
    <div style={minWidth === undefined ? {} : { minWidth }}>{children}</div>
  </div>
);
