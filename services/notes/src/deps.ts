import type { Db } from '@commonplace/db';
import type { Logger, OnResponse, WorkLimits } from '@commonplace/http';
import type { ReserveBytes } from './limits/stored-budget.ts';
import type { WriteNotes } from './write/note-writer.ts';
import type { WriteCounters } from './write/write-counters.ts';
import type { ChangeNotifier } from './feed/change-notifier.ts';
import type { WakeSignal } from './jobs/wake-signal.ts';
import type { EmbeddingsPort } from './search/embeddings/create-embeddings.ts';
import type { FindMeaning } from './search/embeddings/query-meaning.ts';
import type { ReadCallerAccess } from './clients/read-caller-access.ts';
import type { RecordSetting } from './clients/record-setting.ts';
import type { Search } from './search/create-search.ts';
import type { DescribeAuthors } from './clients/describe-authors.ts';
import type { ListDirectory } from './clients/list-directory.ts';
import type { FindProposalDeciders } from './clients/find-deciders.ts';
import type { StopSource } from './clients/stop-source.ts';
import type { TakeOutLines } from './undo/take-out-lines.ts';
import type { AuthorizeJob } from './clients/authorize-job.ts';

/** The dependencies of the service. Each module picks only what it uses. */
export type Deps = {
  readonly db: Db;
  /** The only clock; tests replace it. */
  readonly clock: () => Date;
  readonly log: Logger;
  /** Called for every response, if metrics are enabled. */
  readonly onResponse?: OnResponse | undefined;
  /** The only write path of notes. */
  readonly writeNotes: WriteNotes;
  /** Keeps the search index up to date. */
  readonly search: Search;
  /** The service for embeddings; null: none is configured. */
  readonly embeddings: EmbeddingsPort | null;
  /** The meaning of a query, where a service and the company's owner allow it. */
  readonly findMeaning: FindMeaning;
  /** Records in the audit log that an owner switched embeddings. */
  readonly recordSetting: RecordSetting;
  /** Where requests wait: heavy work of a company (searches, full lists, large syncs), and its reads of large notes. */
  readonly limits: WorkLimits;
  /** Limits the stored text that work of all companies holds in memory. */
  readonly reserveBytes: ReserveBytes;
  /** Limits the versions that undos compare. A budget of its own: they wait for writes, which may need the other one. */
  readonly reserveUndoBytes: ReserveBytes;
  /** Counters of the note writer. */
  readonly writeCounters: WriteCounters;
  /** Describes agents and names authors. */
  readonly describeAuthors: DescribeAuthors;
  /** Names authors by what was read in the last seconds. */
  readonly describeRecent: DescribeAuthors;
  /** Lists the agents of a company. */
  readonly listDirectory: ListDirectory;
  /** Checks that the caller of a job may still run it. */
  readonly authorizeJob: AuthorizeJob;
  /** Reads by which access an operator orders a job: of the account, and to the company. */
  readonly readCallerAccess: ReadCallerAccess;
  /** Takes versions out of a text, in a thread where that is costly. */
  readonly takeOutLines: TakeOutLines;
  /** Who decides about proposals, beside operators and owners. */
  readonly findProposalDeciders: FindProposalDeciders;
  /** Pauses the agent whose changes are undone. */
  readonly stopSource: StopSource;
  /** Notifies the listeners of this process of changes. */
  readonly feed: ChangeNotifier;
  /** Wakes the workers of this process. */
  readonly jobSignal: WakeSignal;
};
