import type { MergeTally } from '../merge/create-merger.ts';

/** What the writer of notes counts, for the metrics. */
export type WriteCounters = {
  /** Changes that wait for their turn or are being written. */
  waiting: number;
  /** Transactions, and the changes in them: their ratio is how much is combined. */
  batches: number;
  batched: number;
  /** Changes by what became of them. */
  readonly outcomes: Record<string, number>;
  /** Merges by where they were made. */
  readonly merges: MergeTally;
};

/** Starts at nothing. */
export const createWriteCounters = (): WriteCounters => ({
  waiting: 0,
  batches: 0,
  batched: 0,
  outcomes: {},
  merges: { inline: 0, inThread: 0, givenUp: 0 },
});
