import { runGlobal } from '@commonplace/db';
import type { Collector } from '@commonplace/http/metrics';
import type { Deps } from './deps.ts';
import { countJobs } from './queries/job-queue.ts';

type Needs = Pick<Deps, 'db' | 'clock' | 'feed' | 'writeCounters'>;

/** What only this service has to tell: its lanes, jobs and listeners. */
export const collectors = ({ db, clock, feed, writeCounters }: Needs): Collector[] => [
  {
    kind: 'gauge',
    name: 'notes_lane_waiting_changes',
    help: 'Changes of notes that wait for their transaction, or are in it',
    read: () => writeCounters.waiting,
  },
  {
    kind: 'counter',
    name: 'notes_batches_total',
    help: 'Transactions that wrote notes',
    read: () => writeCounters.batches,
  },
  {
    kind: 'counter',
    name: 'notes_batched_changes_total',
    help: 'Changes in those transactions: divided by them, how many were combined',
    read: () => writeCounters.batched,
  },
  {
    kind: 'counter',
    name: 'notes_changes_total',
    help: 'Changes of notes by what became of them, synchronised ones and single ones',
    label: 'outcome',
    read: () => writeCounters.outcomes,
  },
  {
    kind: 'counter',
    name: 'notes_merges_total',
    help: 'Merges of notes: made on the event loop, made in the thread, or given up for want of budget',
    label: 'made',
    read: () => {
      const { inline, inThread, givenUp } = writeCounters.merges;
      return { inline, in_thread: inThread, given_up: givenUp };
    },
  },
  {
    kind: 'gauge',
    name: 'notes_feed_listeners',
    help: 'Streams that wait for changes in this process',
    read: () => feed.listenerCount(),
  },
  ...jobCollectors({ db, clock }),
];

const jobCollectors = ({ db, clock }: Pick<Needs, 'db' | 'clock'>): Collector[] => [
  {
    kind: 'gauge',
    name: 'notes_jobs',
    help: 'Background jobs of all processes that are not finished, by state',
    label: 'state',
    read: async () => {
      const { waiting, running } = await runGlobal(db, (tx) => countJobs(tx, clock()));
      return { waiting, running };
    },
  },
  {
    kind: 'gauge',
    name: 'notes_oldest_job_seconds',
    help: 'Age of the oldest background job that is not finished',
    read: async () => (await runGlobal(db, (tx) => countJobs(tx, clock()))).oldestSeconds,
  },
];
