/** One kind of bar. */
type Series = { readonly name: string; readonly label: string; readonly color: string };

/** The values of one day by series; null means not known. */
type DayRow = {
  readonly day: string;
  readonly values: Readonly<Record<string, number | null>>;
};

/** What a chart by day displays. */
export type DayBarsProps = {
  /** What the chart says, for those who do not see it. */
  readonly label: string;
  readonly rows: readonly DayRow[];
  readonly series: readonly Series[];
  readonly format: (value: number) => string;
  /** A line across the chart; the label says what it is. */
  readonly limit?: number | undefined;
};
