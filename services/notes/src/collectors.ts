import { read } from '@commonplace/db';
import type { Collector } from '@commonplace/http/metrics';
import type { Deps } from './deps.ts';
import { listCatalogsToBackfill } from './queries/catalog.ts';
import { countJobs } from './queries/job-queue.ts';
import { listSearchesToRebuild } from './queries/search-index.ts';
import { listStatisticsToMake } from './queries/search-statistics.ts';
import { pendingSum } from './rules/pending-sum.ts';
import { notesWithStatisticsMin } from './search/make-statistics.ts';

type Needs = Pick<Deps, 'db' | 'clock' | 'embeddings' | 'feed' | 'search' | 'writeCounters'>;

/** The metrics of this service: write queues, search index, catalog, jobs and feed listeners. */
export const collectors = (needs: Needs): Collector[] => [
  {
    kind: 'gauge',
    name: 'notes_write_queue_changes',
    help: 'Changes of notes that are queued or in a transaction',
    read: () => needs.writeCounters.waiting,
  },
  {
    kind: 'gauge',
    name: 'notes_write_queue_bytes',
    help: 'Approximate bytes of the changes that are queued or in a transaction',
    read: () => needs.writeCounters.waitingBytes,
  },
  {
    kind: 'counter',
    name: 'notes_batches_total',
    help: 'Transactions that wrote notes',
    read: () => needs.writeCounters.batches,
  },
  {
    kind: 'counter',
    name: 'notes_batched_changes_total',
    help: 'Changes in those transactions; divided by them, the average batch size',
    read: () => needs.writeCounters.batched,
  },
  {
    kind: 'counter',
    name: 'notes_changes_total',
    help: 'Changes of notes by outcome, from sync and single writes',
    label: 'outcome',
    read: () => needs.writeCounters.outcomes,
  },
  {
    kind: 'counter',
    name: 'notes_merges_total',
    help: 'Merges of notes: made on the event loop, made in the thread, or given up for lack of budget',
    label: 'made',
    read: () => {
      const { inline, inThread, givenUp } = needs.writeCounters.merges;
      return { inline, in_thread: inThread, given_up: givenUp };
    },
  },
  {
    kind: 'gauge',
    name: 'notes_feed_listeners',
    help: 'Event streams and long polls of this process that wait for changes',
    read: () => needs.feed.listenerCount(),
  },
  ...otherCollectors(needs),
];

const otherCollectors = ({ search, ...needs }: Needs): Collector[] => [
  {
    kind: 'counter',
    name: 'notes_embeddings_requests_total',
    help: 'Requests to the service for embeddings by outcome; none if no service is configured',
    label: 'outcome',
    read: () => needs.embeddings?.requests ?? {},
  },
  {
    kind: 'counter',
    name: 'notes_index_failures_total',
    help: 'Notes that could not be indexed and are found by their title alone; the log names them',
    read: () => search.failures.count,
  },
  ...storedCollectors(needs),
];

/** What is read from the database: the search index, the catalog and jobs. */
const storedCollectors = ({ db, clock }: Pick<Needs, 'db' | 'clock'>): Collector[] => [
  {
    kind: 'gauge',
    name: 'notes_search_rebuild_changes',
    help: 'Changes of notes whose search documents are of an earlier release',
    read: async () => pendingSum(await read(db, 'global', listSearchesToRebuild)),
  },
  {
    kind: 'gauge',
    name: 'notes_search_statistics_notes',
    help: 'Notes by which the statistics of words are off, where they are missing or off by a tenth',
    read: async () =>
      pendingSum(
        await read(db, 'global', (tx) => listStatisticsToMake(tx, notesWithStatisticsMin)),
      ),
  },
  {
    kind: 'gauge',
    name: 'notes_catalog_backfill_changes',
    help: 'Changes of notes of earlier releases that are not in the catalog of folders, tags and links',
    read: async () => pendingSum(await read(db, 'global', listCatalogsToBackfill)),
  },
  {
    kind: 'gauge',
    name: 'notes_jobs',
    help: 'Unfinished background jobs of all processes, by state',
    label: 'state',
    read: async () => {
      const { waiting, running } = await read(db, 'global', (tx) => countJobs(tx, clock()));
      return { waiting, running };
    },
  },
  {
    kind: 'gauge',
    name: 'notes_oldest_job_seconds',
    help: 'Age of the oldest unfinished background job',
    read: async () => (await read(db, 'global', (tx) => countJobs(tx, clock()))).oldestSeconds,
  },
];
