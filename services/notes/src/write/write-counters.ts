import type { MergeCounters } from '../merge/create-merger.ts';

/** Counters of the note writer, for metrics. */
export type WriteCounters = {
  /** Changes that are queued or being written. */
  waiting: number;
  /** The approximate bytes of their content. */
  waitingBytes: number;
  /** Transactions, and the changes in them. Their ratio is the average batch size. */
  batches: number;
  batched: number;
  /** Changes by outcome. */
  readonly outcomes: Record<string, number>;
  /** Merges by where they were made. */
  readonly merges: MergeCounters;
};

/** All counters start at 0. */
export const createWriteCounters = (): WriteCounters => ({
  waiting: 0,
  waitingBytes: 0,
  batches: 0,
  batched: 0,
  outcomes: {},
  merges: { inline: 0, inThread: 0, givenUp: 0 },
});
