import type { Product } from './system/product.ts';
import type { World } from './system/world.ts';

/** What a figure has to reach. `ratio` compares with the limit; `value` with a number of the same unit. */
type Reach = {
  readonly of: 'ratio' | 'value';
  readonly is: 'at least' | 'at most';
  readonly bound: number;
};

/** One row of the table. */
export type Row = {
  readonly name: string;
  readonly value: number;
  readonly unit: string;
  /** Measured beside it in the same run, or a recorded constant; null: there is none. */
  readonly limit: number | null;
  readonly isLimitRecorded?: boolean;
  /** Null: the figure is for information. */
  readonly reach: Reach | null;
  /** Of the rounds, when it is not that of the medians. */
  readonly ratio?: number;
  /** More that was seen. */
  readonly note?: string;
};

/** How long and how often. */
export type Effort = {
  readonly rounds: number;
  readonly seconds: number;
  /** Rounds that are thrown away: V8 makes the code of a busy process ever faster for some 20 seconds. */
  readonly warmUpRounds: number;
  /** How long an idle system is left alone before its memory is read. */
  readonly settleSeconds: number;
};

/** What measurements work on: the running product and what lives in it. */
export type Bench = {
  readonly effort: Effort;
  readonly product: Product;
  readonly world: World;
  readonly log: (line: string) => void;
};

/** One thing to measure; it gives one row or several that come out of the same rounds. */
export type Measurement = {
  readonly name: string;
  readonly measure: (bench: Bench) => Promise<readonly Row[]>;
};
