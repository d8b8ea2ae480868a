import type { CompanyId } from '@commonplace/contracts/core';
import { storedBudget, type ReserveBytes } from './byte-budget.ts';
import type { LimitHeavyWork } from './heavy-work-limiter.ts';

/** Notes and versions above this size are read through the limiter of their company. */
export const largeNoteBytes = 64 * 1024;

/** Pages of notes above this size are large. Most pulls bring less, such as a hundred notes of 1 KB. */
export const largePageBytes = 256 * 1024;

/**
 * Reads content of so many bytes for one response, within the limits of the company and the process. The caller
 * knows the bytes and has read none of the content. Work in a slot of the same limiter must not call it.
 */
export type ReadLarge = <Result>(
  companyId: CompanyId,
  bytes: number,
  read: () => Promise<Result>,
) => Promise<Result>;

/** Reads within the byte budget of the process only. The content is in memory twice: as read and as JSON. */
export const budgetedRead =
  (reserveBytes: ReserveBytes): ReadLarge =>
  (_companyId, bytes, read) =>
    2 * bytes > storedBudget.freeBytes ? reserveBytes(2 * bytes, read) : read();

/**
 * Reads within the limit of the company and the byte budget. `limit` is for reads only: a read of milliseconds
 * does not wait for a search or a push of seconds.
 */
export const limitedRead = (limit: LimitHeavyWork, reserveBytes: ReserveBytes): ReadLarge => {
  const readNow = budgetedRead(reserveBytes);
  return (companyId, bytes, read) => limit(companyId, () => readNow(companyId, bytes, read));
};

/** Reads at once, for reads in a slot of the limiter whose bytes are reserved already. */
export const reservedRead: ReadLarge = (_companyId, _bytes, read) => read();

/** Checks again whether the caller may read, because the read may have waited. */
export const recheckedRead =
  (readLarge: ReadLarge, stillAllowed: () => Promise<unknown>): ReadLarge =>
  (companyId, bytes, read) =>
    readLarge(companyId, bytes, async () => {
      await stillAllowed();
      return read();
    });
