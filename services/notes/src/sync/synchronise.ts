import type { HeldGrants, Reach } from '@commonplace/contracts/core';
import type {
  Author,
  SyncChangeResult,
  SyncRequest,
  SyncResult,
} from '@commonplace/contracts/notes';
import type { Deps } from '../deps.ts';
import { presentChangeResult, presentSyncResult } from '../present/present-sync-result.ts';
import { ensureFeed } from '../feed/ensure-feed.ts';
import { pageBytesMax } from '../queries/note-rows.ts';
import { assertCurrent, startCursor, writeCursor, type SyncCursor } from '../rules/sync-cursor.ts';
import type { Reading } from '../read/read-whole-note.ts';
import { withoutContent, type PullingClient } from './without-content.ts';
import { addHiddenDeletions } from './add-hidden-deletions.ts';
import { buildResults } from './build-results.ts';
import { hydrateReplays } from './hydrate-replays.ts';
import { pullChanges, type PullRequest } from './pull-changes.ts';
import { pushChanges, type Push } from './push-changes.ts';

export type Synchronisation = {
  readonly reach: Reach;
  readonly grants?: HeldGrants;
  readonly author: Author;
  readonly body: Pick<
    SyncRequest,
    'clientId' | 'limit' | 'onConflict' | 'changes' | 'pull' | 'echo' | 'proposals'
  >;
  readonly cursor: SyncCursor | null;
  /** Throws when the caller may no longer push. */
  readonly recheck: () => Promise<void>;
};

/** One round trip in the foreground: pushes the changes, then pulls what changed since the cursor. */
export const synchronise = async (
  deps: Pick<Deps, 'clock' | 'writeNotes'> & Reading,
  { reach, grants = null, author, body, cursor, recheck }: Synchronisation,
): Promise<SyncResult> => {
  const { clientId = '', limit, onConflict, changes, pull, proposals } = body;
  const push = { reach, grants, author, cursor, clientId, onConflict, changes, proposals, recheck };
  const { results, known, feed } = await pushWithResults(deps, push, pageBytesMax);
  return pull === 'none'
    ? resultWithoutPull(deps, { reach, cursor, feed, results })
    : pullWithResults(deps, {
        reach,
        cursor,
        limit,
        known,
        feed,
        results,
        ...echoTo(author, body),
      });
};

/** The client whose own text comes without content. */
export const echoTo = (
  author: Author,
  { echo = true, clientId }: { readonly echo?: boolean; readonly clientId?: string | undefined },
): { readonly withoutContentOf?: PullingClient } =>
  echo ? {} : { withoutContentOf: { author, clientId: clientId ?? null } };

/**
 * The result of a push without a pull. The cursor stays where it is; without one it is the start. Brings only deletions
 * of notes that the results report as active and that no later pull would include.
 */
export const resultWithoutPull = async (
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  { reach, results, cursor, feed }: Pick<PullRequest, 'reach' | 'cursor' | 'feed'> & Results,
): Promise<SyncResult> => {
  const current = feed ?? (await ensureFeed(db, reach.companyId));
  const position = cursor ?? startCursor(reach, current);
  assertCurrent(position, current);
  const page = { feed: current, notes: [], hasMore: false, cursor: position };
  const { notes } = await addHiddenDeletions(db, {
    reach,
    cursor,
    results,
    known: [],
    page,
  });
  const passed = notes.filter(({ changeNo }) => isPassed(position, changeNo));
  return presentSyncResult(passed, {
    results,
    feed: current,
    hasMore: position.changeNo < current.head,
    cursor: writeCursor(position),
    isConfined: reach.folders !== null,
    at: clock(),
  });
};

/** Whether a pull from here leaves out a deletion: it was before the cursor, or before a first pull began. */
const isPassed = ({ changeNo, snapshotHead = 0 }: SyncCursor, deletion: number): boolean =>
  deletion <= Math.max(changeNo, snapshotHead);

type Results = { readonly results: readonly SyncChangeResult[] };

/**
 * Pushes changes and builds their results, for a request or for one chunk of a job. The notes that the
 * results include have at most `noteBytesMax` in all.
 */
export const pushWithResults = async (
  deps: Pick<Deps, 'db' | 'writeNotes'>,
  push: Push,
  noteBytesMax: number,
) => {
  const { pushed, feed } = await pushChanges(deps, push);
  const hydrated = await hydrateReplays(deps.db, push.reach, pushed);
  const built = buildResults(hydrated, noteBytesMax);
  return { ...built, results: built.results.map(presentChangeResult), feed };
};

/** Pulls what changed since the cursor, the pushed changes included, and presents the whole result. */
export const pullWithResults = async (
  { db, clock, reader }: Pick<Deps, 'clock'> & Reading,
  { results, withoutContentOf, ...request }: PullRequest & Results & ReturnType<typeof echoTo>,
): Promise<SyncResult> => {
  const { reach, cursor, known } = request;
  const pulled = await pullChanges({ db, reader }, request);
  const { notes, ...page } = await addHiddenDeletions(db, {
    reach,
    cursor,
    results,
    known,
    page: pulled,
  });
  return presentSyncResult(withoutContent(notes, withoutContentOf), {
    ...page,
    results,
    cursor: writeCursor(page.cursor),
    isConfined: reach.folders !== null,
    at: clock(),
  });
};
