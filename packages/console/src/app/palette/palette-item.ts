/** Something the palette leads to. */
export type PaletteItem = {
  /** Its address, or the name of what it does. */
  readonly href: string;
  readonly label: string;
  /** Other words by which it is found. */
  readonly otherWords?: string;
  /** What it does instead of opening its address. */
  readonly run?: () => void;
  /** Below the label; matches are between ⟦ and ⟧. */
  readonly excerpt?: string;
  /** Beside the label: where in a note it leads. */
  readonly place?: string;
};
