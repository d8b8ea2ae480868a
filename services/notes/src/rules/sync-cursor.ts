import { AppError } from '@commonplace/contracts/core';
import { z } from 'zod';

const position = z.strictObject({
  v: z.literal(1),
  company: z.string(),
  epoch: z.string(),
  changeNo: z.int().min(0),
  snapshotHead: z.int().min(0).optional(),
});

/** Where a pull stands. `snapshotHead` is the head when a first pull began, until it is through. */
export type SyncCursor = z.infer<typeof position>;

/** What a cursor must fit. */
export type FeedState = {
  readonly epoch: string;
  readonly head: number;
  readonly floor: number;
};

/** An opaque text for a position. It needs no signature: it addresses the caller's own company only. */
export const writeCursor = (cursor: SyncCursor): string =>
  Buffer.from(JSON.stringify(cursor)).toString('base64url');

/** Reads a cursor of this company, or answers 410. */
export const readCursor = (text: string, companyId: string): SyncCursor => {
  const cursor = position.safeParse(decode(text)).data;
  if (cursor?.company !== companyId) {
    throw expired();
  }
  return cursor;
};

/**
 * False when a pull from here could miss something: another epoch (a backup was restored), ahead of the
 * feed, or before deletions that are no longer kept. A first pull needs only those after its beginning.
 */
export const isCurrent = (cursor: SyncCursor, feed: FeedState): boolean =>
  cursor.epoch === feed.epoch &&
  cursor.changeNo <= feed.head &&
  (cursor.snapshotHead ?? 0) <= feed.head &&
  Math.max(cursor.changeNo, cursor.snapshotHead ?? 0) >= feed.floor;

/** Answers 410 for a cursor that is not current. */
export const assertCurrent = (cursor: SyncCursor, feed: FeedState): void => {
  if (!isCurrent(cursor, feed)) {
    throw expired();
  }
};

/** What is answered to a cursor of no use. */
export const expired = (): AppError =>
  new AppError('cursor_expired', 'The cursor has expired; pull again without one.');

const decode = (text: string): unknown => {
  try {
    return JSON.parse(Buffer.from(text, 'base64url').toString());
  } catch {
    return undefined;
  }
};
