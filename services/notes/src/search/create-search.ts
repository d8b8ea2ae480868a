import type { ThreadMemory } from '@commonplace/concurrency';
import {
  createPendingIndexer,
  type IndexerDeps,
  type IndexPendingNotes,
} from './index-pending-notes.ts';
import { createDelayedIndexer } from './delayed-indexer.ts';
import { createIndexWait, indexWaitMs, type WaitForIndex } from './index-wait.ts';
import type { StoreDeps } from './store-part.ts';
import { createDocumentThread } from './text/document-thread.ts';

/** What keeps the search index up to date. */
export type Search = Pick<StoreDeps, 'buildDocuments' | 'onFailure'> & {
  readonly indexPendingNotes: IndexPendingNotes;
  readonly waitForIndex: WaitForIndex;
  /** Call after every COMMIT that changed notes. */
  readonly onCommit: ReturnType<typeof createDelayedIndexer>['onCommit'];
  /** Counts the notes of this process that could not be indexed by more than their title. */
  readonly failures: { count: number };
};

export type SearchOptions = Pick<IndexerDeps, 'db' | 'onFailure'> & {
  readonly threadMemory: ThreadMemory;
  readonly onError: (error: unknown) => void;
  /** The longest wait of a search for the index. */
  readonly waitMs?: number | undefined;
};

/** Creates the indexing of notes: its thread, on demand before a search, and some time after writes. */
export const createSearch = ({
  db,
  threadMemory,
  onError,
  waitMs = indexWaitMs,
  ...options
}: SearchOptions): Search => {
  const buildDocuments = createDocumentThread(onError, threadMemory);
  const failures = { count: 0 };
  const onFailure: StoreDeps['onFailure'] = (failure) => {
    failures.count += 1;
    options.onFailure(failure);
  };
  const indexPendingNotes = createPendingIndexer({ db, buildDocuments, onFailure });
  const { onCommit } = createDelayedIndexer({ index: indexPendingNotes, onError });
  const waitForIndex = createIndexWait({ db, indexPendingNotes, onError, waitMs });
  return { indexPendingNotes, waitForIndex, onCommit, buildDocuments, onFailure, failures };
};
