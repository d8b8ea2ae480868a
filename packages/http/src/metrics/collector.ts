/** A metric that is read on each scrape. */
export type Collector = {
  readonly kind: 'gauge' | 'counter';
  readonly name: string;
  readonly help: string;
  /** The name of the label of each value; without it there is one value. */
  readonly label?: string;
  readonly read: () => Values | Promise<Values>;
};

type Values = number | Readonly<Record<string, number>>;
