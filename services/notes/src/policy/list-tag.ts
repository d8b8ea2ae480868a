import { hash } from 'node:crypto';

/** Where a company's notes stand. */
type FeedState = { readonly epoch: string; readonly head: number; readonly floor: number };

/**
 * The weak entity tag of a list: the same company, query and state of its notes give the
 * same list. `floor` counts because a purge takes tombstones out of a list without moving `head`.
 */
export const listTag = (companyId: string, feed: FeedState | null, query: object): string => {
  const state = JSON.stringify([companyId, feed?.epoch, feed?.head, feed?.floor, query]);
  return `W/"${hash('sha256', state, 'base64url').slice(0, 22)}"`;
};
