import type { Db } from '@commonplace/db';
import type { Logger, OnAnswered } from '@commonplace/http';
import type { HoldBytes } from './commands/byte-budget.ts';
import type { WriteNotes } from './commands/create-note-writer.ts';
import type { TakeTurn } from './commands/turns.ts';
import type { WriteTally } from './commands/write-tally.ts';
import type { Feed } from './feed/create-feed.ts';
import type { Bell } from './jobs/bell.ts';
import type { CheckJobCaller } from './jobs/check-job-caller.ts';

/** Everything a part of this service may need; each takes the smallest pick of it. */
export type Deps = {
  readonly db: Db;
  /** The only clock: tests set it. */
  readonly clock: () => Date;
  readonly log: Logger;
  /** Told of every answer, where there are metrics. */
  readonly onAnswered?: OnAnswered | undefined;
  /** The one way a note changes. */
  readonly write: WriteNotes;
  /** Heavy work of a company waits for its turn here: searches and large synchronisations in one line. */
  readonly takeTurn: TakeTurn;
  /** Work of all companies that reads much stored text waits here for room in memory. */
  readonly holdBytes: HoldBytes;
  /** What the writer counts. */
  readonly tally: WriteTally;
  /** Asks whether whoever ordered a job may still write. */
  readonly checkJobCaller: CheckJobCaller;
  /** Who waits for changes in this process. */
  readonly feed: Feed;
  /** Wakes the workers of this process. */
  readonly jobBell: Bell;
};
