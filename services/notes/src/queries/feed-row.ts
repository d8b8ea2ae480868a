/** A row of notes.company_feed: the order of a company's changes, and what its living notes add up to. */
export type FeedRow = {
  readonly epoch: string;
  readonly head: number;
  readonly floor: number;
  readonly liveCount: number;
  readonly digest: string;
};

export const feedColumns = 'f.epoch, f.head, f.floor, f.live_count as "liveCount", f.digest';
