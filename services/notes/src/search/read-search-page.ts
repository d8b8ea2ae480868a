import type { Reach } from '@commonplace/contracts/core';
import type { Db } from '@commonplace/db';
import { isUpToDate, type ReadyIndex, type WaitForIndex } from './index-wait.ts';
import { readNotePage, type NoteList, type NotePageRequest } from './read-note-page.ts';
import { startSampled, type StartedList } from './start-search.ts';

/** A page of a search, with the state that it began with and the index that it had. */
export type SearchPage = {
  readonly start: StartedList | null;
  readonly index: ReadyIndex;
  readonly page: NoteList;
};

export type SearchPageRequest = {
  readonly listing: NotePageRequest & { readonly q: string };
  /** Absent: the search reads a sample, which is work of its slot (see `startsWithSample`). */
  readonly start?: StartedList | null;
  /** Runs what reads notes in a slot of the company. */
  readonly inSlot: <Result>(run: () => Promise<Result>) => Promise<Result>;
};

const nothingIndexed = { indexedNo: 0, isRebuilding: false };

/** Reads a page of a search, in a slot. It waits for the index outside of it, so that nothing else of the company does. */
export const readSearchPage = async (
  { db, waitForIndex }: { readonly db: Db; readonly waitForIndex: WaitForIndex },
  reach: Reach,
  { listing, start: started, inSlot }: SearchPageRequest,
): Promise<SearchPage> => {
  const readFrom = async (start: StartedList | null, index: ReadyIndex): Promise<SearchPage> => {
    const statistics = start?.statistics && { statistics: start.statistics };
    const { isRebuilding } = index;
    const page = await readNotePage(db, reach, { ...listing, ...statistics, isRebuilding });
    return { start, index, page };
  };
  if (started !== undefined) {
    const index = await waitForIndex(reach.companyId, started?.state);
    return inSlot(() => readFrom(started, index));
  }
  const first = await inSlot(async () => {
    const start = await startSampled(db, reach, listing);
    return start === null || isUpToDate(start.state)
      ? { page: await readFrom(start, { ...nothingIndexed, ...start?.state, isComplete: true }) }
      : { start };
  });
  if ('page' in first) {
    return first.page;
  }
  const { feed, state } = first.start;
  const index = await waitForIndex(reach.companyId, state);
  return inSlot(async () => {
    const again = await startSampled(db, reach, listing);
    // What was written during the wait may be missing, so the page is one of the state before it.
    return readFrom(again && { ...again, feed }, index);
  });
};
