import {
  createPendingIndexer,
  type IndexerDeps,
  type IndexPendingNotes,
} from './index-pending-notes.ts';
import { createDelayedIndexer } from './delayed-indexer.ts';
import { createDocumentThread, type BuildDocuments } from './text/document-thread.ts';

/** What keeps the search index up to date. */
export type Search = {
  readonly indexPendingNotes: IndexPendingNotes;
  /** Call after every COMMIT that changed notes. */
  readonly onCommit: ReturnType<typeof createDelayedIndexer>['onCommit'];
  /** Builds documents in a thread. */
  readonly buildDocuments: BuildDocuments;
};

export type SearchOptions = Pick<IndexerDeps, 'db'> & {
  readonly onError: (error: unknown) => void;
};

/** Creates the indexing of notes: its thread, on demand before a search, and some time after writes. */
export const createSearch = ({ db, onError }: SearchOptions): Search => {
  const buildDocuments = createDocumentThread(onError);
  const indexPendingNotes = createPendingIndexer({ db, buildDocuments });
  const { onCommit } = createDelayedIndexer({ index: indexPendingNotes, onError });
  return { indexPendingNotes, onCommit, buildDocuments };
};
