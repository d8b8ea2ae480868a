import type { Db } from '@commonplace/db';
import type { Logger, OnResponse } from '@commonplace/http';
import type { ReserveBytes } from './limits/byte-budget.ts';
import type { WriteNotes } from './write/note-writer.ts';
import type { LimitHeavyWork } from './limits/heavy-work-limiter.ts';
import type { WriteCounters } from './write/write-counters.ts';
import type { ChangeNotifier } from './feed/change-notifier.ts';
import type { WakeSignal } from './jobs/wake-signal.ts';
import type { AuthorizeJob } from './jobs/authorize-job.ts';

/** Everything a part of this service may need; each takes the smallest pick of it. */
export type Deps = {
  readonly db: Db;
  /** The only clock: tests set it. */
  readonly clock: () => Date;
  readonly log: Logger;
  /** Told of every answer, where there are metrics. */
  readonly onResponse?: OnResponse | undefined;
  /** The one way a note changes. */
  readonly write: WriteNotes;
  /** Heavy work of a company waits for its turn here: searches and large synchronisations in one line. */
  readonly limitHeavyWork: LimitHeavyWork;
  /** Work of all companies that reads much stored text waits here for room in memory. */
  readonly reserveBytes: ReserveBytes;
  /** What the writer counts. */
  readonly writeCounters: WriteCounters;
  /** Asks whether whoever ordered a job may still write. */
  readonly authorizeJob: AuthorizeJob;
  /** Who waits for changes in this process. */
  readonly feed: ChangeNotifier;
  /** Wakes the workers of this process. */
  readonly jobSignal: WakeSignal;
};
