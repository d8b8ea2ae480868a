import type { CompanyId } from '@commonplace/contracts/core';
import { storedBudget, type ReserveBytes } from './byte-budget.ts';
import type { LimitHeavyWork } from './heavy-work-limiter.ts';

/** One note, or version, of more than this is read in a turn; up to here it is read without one. */
export const largeNoteBytes = 64 * 1024;

/** A page of notes that takes more than this: a hundred notes of 1 KB, such as most pulls bring, are none. */
export const largePageBytes = 256 * 1024;

/**
 * Reads content of so many bytes for one response, when it is the turn of the company, and there is room. Whoever
 * calls it knows the bytes, and has read none of the content. Not for those who hold a turn of this line already.
 */
export type ReadLarge = <Result>(
  companyId: CompanyId,
  bytes: number,
  read: () => Promise<Result>,
) => Promise<Result>;

/** Without a turn, for those who have one of another line. What is read is held twice: as it is, and as JSON. */
export const readWithRoom =
  (reserveBytes: ReserveBytes): ReadLarge =>
  (_companyId, bytes, read) =>
    2 * bytes > storedBudget.freeBytes ? reserveBytes(2 * bytes, read) : read();

/** In turns of their own line: a read of milliseconds does not wait for a search or a push of seconds. */
export const readInTurn = (limit: LimitHeavyWork, reserveBytes: ReserveBytes): ReadLarge => {
  const readNow = readWithRoom(reserveBytes);
  return (companyId, bytes, read) => limit(companyId, () => readNow(companyId, bytes, read));
};

/** A turn that asks first whether the caller may still read, because it may have waited. */
export const recheckedRead =
  (readLarge: ReadLarge, stillAllowed: () => Promise<unknown>): ReadLarge =>
  (companyId, bytes, read) =>
    readLarge(companyId, bytes, async () => {
      await stillAllowed();
      return read();
    });
