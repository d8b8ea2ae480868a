import type { Product } from './system/product.ts';
import type { BenchEnvironment } from './system/environment.ts';

/** The target of a figure: its ratio to the baseline, or its value. */
type Target = {
  readonly of: 'ratio' | 'value';
  readonly is: 'at least' | 'at most';
  readonly bound: number;
};

/** One row of the table. */
export type Row = {
  readonly name: string;
  readonly value: number;
  readonly unit: string;
  /** Measured in the same run, or a recorded constant; null means none. */
  readonly baseline: number | null;
  readonly isBaselineRecorded?: boolean;
  /** Null means for information only. */
  readonly target: Target | null;
  /** Median ratio of the rounds, if it differs from the ratio of the medians. */
  readonly ratio?: number;
  /** Printed below the table. */
  readonly note?: string;
};

/** Duration and number of rounds. */
export type BenchProfile = {
  /** Fewer rows and less data. */
  readonly isQuick: boolean;
  readonly rounds: number;
  readonly seconds: number;
  /** Discarded rounds: V8 optimises the code of a busy process for some 20 seconds. */
  readonly warmUpRounds: number;
  /** Idle time before memory is read. */
  readonly settleSeconds: number;
  /** Other questions than those of the repository, of the same form. */
  readonly questionsFile: string | null;
};

/** The running product and its test data. */
export type Bench = {
  readonly profile: BenchProfile;
  readonly product: Product;
  readonly environment: BenchEnvironment;
  readonly log: (line: string) => void;
  /** Measures more, once everything else is measured and the product was restarted on the same data. */
  readonly afterRestart: (measure: MeasureRestarted) => void;
};

/** Measures the product after a restart; returns rows. */
export type MeasureRestarted = (restarted: Product) => Promise<readonly Row[]>;

/** One measurement; returns the rows of its rounds. */
export type Measurement = {
  readonly name: string;
  /** A quick run leaves it out, unless `--only` names it. */
  readonly isLeftOutWhenQuick?: boolean;
  readonly measure: (bench: Bench) => Promise<readonly Row[]>;
};
