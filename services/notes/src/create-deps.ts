import { availableParallelism } from 'node:os';
import type { EmbeddingsOptions } from '@commonplace/config';
import { createThreadMemory, type ThreadMemory } from '@commonplace/concurrency';
import { createDb, type DbOptions } from '@commonplace/db';
import { createLog } from '@commonplace/http';
import { createStoredBudget, storedBudget } from './limits/stored-budget.ts';
import { catchUpCatalog } from './catalog/catch-up-catalog.ts';
import { createDelayedIndexer } from './search/delayed-indexer.ts';
import { createNoteWriter } from './write/note-writer.ts';
import { createEmbeddings } from './search/embeddings/create-embeddings.ts';
import { createFindMeaning } from './search/embeddings/query-meaning.ts';
import { createSharesTexts } from './write/shares-texts.ts';
import { createSearch } from './search/create-search.ts';
import { createHeavyWorkLimiter } from './limits/heavy-work-limiter.ts';
import { createWorkLimits } from './limits/work-limits.ts';
import { createWriteCounters } from './write/write-counters.ts';
import type { Deps } from './deps.ts';
import { createEditThread } from './create-edit-thread.ts';
import { createMergeThread } from './create-merge-thread.ts';
import { createMerger } from './merge/create-merger.ts';
import { createChangeNotifier } from './feed/change-notifier.ts';
import { createWakeSignal } from './jobs/wake-signal.ts';
import type { DescribeAuthors } from './clients/describe-authors.ts';
import { rememberNames } from './clients/remember-names.ts';
import type { ListDirectory } from './clients/list-directory.ts';
import type { ReadCallerAccess } from './clients/read-caller-access.ts';
import type { RecordSetting } from './clients/record-setting.ts';
import type { FindProposalDeciders } from './clients/find-deciders.ts';
import type { StopSource } from './clients/stop-source.ts';
import { createTakeOutLines } from './undo/take-out-lines.ts';
import type { AuthorizeJob } from './clients/authorize-job.ts';

export type DepsOptions = {
  readonly database: Omit<DbOptions, 'onIdleError'>;
  readonly logLevel: string;
  /** The longest wait of a search for the index; by default five seconds. */
  readonly searchWaitMs?: number | undefined;
  /** By default that of the database. */
  readonly clock?: () => Date;
  readonly authorizeJob: AuthorizeJob;
  readonly readCallerAccess: ReadCallerAccess;
  readonly describeAuthors: DescribeAuthors;
  readonly listDirectory: ListDirectory;
  readonly recordSetting: RecordSetting;
  /** Null: no service is configured. */
  readonly embeddings?: EmbeddingsOptions | null;
  readonly stopSource: StopSource;
  readonly findProposalDeciders: FindProposalDeciders;
};

/** One company may use half of the processors, so that others find one free. A queue of 100 takes seconds. */
const heavyWork = {
  runningMax: Math.max(1, Math.floor(availableParallelism() / 2)),
  waitingMax: 100,
};

/** Each takes some milliseconds, so more may wait. */
const largeReads = { ...heavyWork, waitingMax: 500 };

/** Edits and merges in a thread: one of a company at a time, and those that wait are done in some seconds. */
const costlyWork = { runningMax: 1, waitingMax: 50 };
/** The texts of edits that wait for the thread. A budget of its own: their writes may need the other one. */
const editBytesMax = 16 * 1024 * 1024;
/** The same for merges, so that neither waits for the other. */
const mergeBytesMax = 16 * 1024 * 1024;

/** The versions that undos compare, while they wait for the thread and for writes. As much as one note may need. */
const undoBytesMax = storedBudget.transactionBytes;

/** The limits of a company's heavy work, and of the stored text that all companies hold in memory. */
const createLimits = () => {
  const { reserve: reserveBytes } = createStoredBudget(storedBudget.processBytes);
  return {
    limits: createWorkLimits({ heavyWork, largeReads, reserveBytes }),
    reserveBytes,
    reserveUndoBytes: createStoredBudget(undoBytesMax).reserve,
    reserveEditBytes: createStoredBudget(editBytesMax).reserve,
    reserveMergeBytes: createStoredBudget(mergeBytesMax).reserve,
    limitCostlyWork: createHeavyWorkLimiter(costlyWork),
  };
};

type WorkerOptions = Pick<Deps, 'db' | 'log'> & Pick<DepsOptions, 'searchWaitMs'>;

/** What keeps the search index and the catalog up to date. */
const createIndexers = ({
  db,
  log,
  threadMemory,
  searchWaitMs,
}: WorkerOptions & { readonly threadMemory: ThreadMemory }) => {
  const search = createSearch({
    db,
    threadMemory,
    waitMs: searchWaitMs,
    onError: (error) => log.warn({ err: error }, 'indexing failed; the next search retries it'),
    onFailure: ({ companyId, noteId, error }) =>
      log.warn({ err: error, companyId, noteId }, 'a note is indexed by its title alone'),
  });
  const catalogIndexer = createDelayedIndexer({
    index: (companyId) => catchUpCatalog(db, companyId),
    onError: (error) => log.warn({ err: error }, 'the catalog failed; the next read retries it'),
  });
  return { search, catalogIndexer };
};

/** The threads for work that would hold the event loop. */
const createThreads = (log: Deps['log'], shared: ThreadMemory) => ({
  mergeThread: createMergeThread({
    shared,
    onError: (error) => log.warn({ err: error }, 'a merge was given up; both sides are kept'),
  }),
  editThread: createEditThread({
    shared,
    onError: (error) => log.warn({ err: error }, 'an edit took too long or failed'),
  }),
});

/** What works beside the event loop: indexers and threads, which share memory. */
const createWorkers = (options: WorkerOptions) => {
  const threadMemory = createThreadMemory();
  return {
    ...createIndexers({ ...options, threadMemory }),
    ...createThreads(options.log, threadMemory),
  };
};

const warnOfIdleError =
  (log: Deps['log']): DbOptions['onIdleError'] =>
  (error) =>
    log.warn({ err: error }, 'an idle database connection broke');

/** Creates the dependencies of the service: database, log, note writer and the rest. */
export const createDeps = ({
  database,
  logLevel,
  embeddings: embeddingsOptions = null,
  searchWaitMs,
  clock: otherClock,
  ...clients
}: DepsOptions): Deps => {
  const log = createLog('notes', logLevel);
  const db = createDb({ ...database, onIdleError: warnOfIdleError(log) });
  const clock = otherClock ?? db.clock.now;
  const feed = createChangeNotifier();
  const writeCounters = createWriteCounters();
  const embeddings = createEmbeddings(embeddingsOptions);
  const { search, catalogIndexer, ...threads } = createWorkers({ db, log, searchWaitMs });
  const { reserveEditBytes, reserveMergeBytes, limitCostlyWork, ...shared } = createLimits();
  return {
    db,
    clock,
    log,
    writeNotes: createNoteWriter({
      db,
      clock,
      writeCounters,
      merger: createMerger(threads.mergeThread, writeCounters.merges),
      editThread: threads.editThread,
      reserveBytes: shared.reserveBytes,
      reserveEditBytes,
      reserveMergeBytes,
      limitCostlyWork,
      sharesTexts: createSharesTexts({ db, clock }),
      onCommit: (companyId, head) => {
        feed.publish(companyId, head);
        search.onCommit(companyId);
        catalogIndexer.onCommit(companyId);
      },
    }),
    ...shared,
    search,
    embeddings,
    findMeaning: createFindMeaning(db, embeddings),
    writeCounters,
    feed,
    ...clients,
    describeRecent: rememberNames(clients.describeAuthors),
    takeOutLines: createTakeOutLines(threads.mergeThread.takeOut),
    jobSignal: createWakeSignal(),
  };
};
