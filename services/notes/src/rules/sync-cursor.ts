import { hash } from 'node:crypto';
import { AppError, type Reach } from '@commonplace/contracts/core';
import { z } from 'zod';

const position = z.strictObject({
  v: z.literal(1),
  company: z.string(),
  epoch: z.string(),
  changeNo: z.int().min(0),
  snapshotHead: z.int().min(0).optional(),
  /** The digest of the folders that were visible; absent: all. */
  grants: z.string().optional(),
});

/** The position of a pull. `snapshotHead`: the head when the first pull began, while it is in progress. */
export type SyncCursor = z.infer<typeof position>;

/** The part of a feed that a cursor is checked against. */
export type FeedState = {
  readonly epoch: string;
  readonly head: number;
  readonly floor: number;
};

/** Encodes a position as opaque text. It needs no signature: it addresses the caller's own company only. */
export const writeCursor = (cursor: SyncCursor): string =>
  Buffer.from(JSON.stringify(cursor)).toString('base64url');

/** The position of a caller after a change of its company. */
export const positionAt = (reach: Reach, epoch: string, changeNo: number): SyncCursor => ({
  v: 1,
  company: reach.companyId,
  epoch,
  changeNo,
  ...grantsOf(reach),
});

/** With other folders, a pull would miss notes that did not change, and keep those that are hidden now. */
const grantsOf = ({ folders }: Pick<Reach, 'folders'>): { readonly grants?: string } =>
  folders === null
    ? {}
    : { grants: hash('sha256', JSON.stringify(folders), 'base64url').slice(0, 16) };

/** The position before the first page of a first pull. */
export const startCursor = (reach: Reach, { epoch, head }: FeedState): SyncCursor => ({
  ...positionAt(reach, epoch, 0),
  snapshotHead: head,
});

/** Parses a cursor of this company, and of a caller that sees as much of it: with its id, all. Throws 410. */
export const readCursor = (text: string, of: string | Reach): SyncCursor => {
  const cursor = position.safeParse(decode(text)).data;
  const { companyId, folders } = typeof of === 'string' ? { companyId: of, folders: null } : of;
  if (cursor?.company !== companyId || cursor.grants !== grantsOf({ folders }).grants) {
    throw expired();
  }
  return cursor;
};

/**
 * False when a pull from here could miss changes: the epoch differs (a backup was restored), the cursor is
 * ahead of the feed, or it precedes purged deletions. A first pull needs only deletions after its start.
 */
export const isCurrent = (cursor: SyncCursor, feed: FeedState): boolean =>
  cursor.epoch === feed.epoch &&
  cursor.changeNo <= feed.head &&
  (cursor.snapshotHead ?? 0) <= feed.head &&
  Math.max(cursor.changeNo, cursor.snapshotHead ?? 0) >= feed.floor;

/** Throws 410 for a cursor that is not current. */
export const assertCurrent = (cursor: SyncCursor, feed: FeedState): void => {
  if (!isCurrent(cursor, feed)) {
    throw expired();
  }
};

/** The 410 error of an expired cursor. */
export const expired = (): AppError =>
  new AppError('cursor_expired', 'The cursor has expired; pull again without one.');

const decode = (text: string): unknown => {
  try {
    return JSON.parse(Buffer.from(text, 'base64url').toString());
  } catch {
    return undefined;
  }
};
