/** Something a process knows about itself, read when Prometheus asks. */
export type Collector = {
  readonly kind: 'gauge' | 'counter';
  readonly name: string;
  readonly help: string;
  /** The name of the label that tells the values apart; without it there is one value. */
  readonly label?: string;
  readonly read: () => Values | Promise<Values>;
};

type Values = number | Readonly<Record<string, number>>;
