import type { Reader, WorkLimits } from '@commonplace/http';
import { storedBudget, type ReserveBytes } from './stored-budget.ts';
import { createHeavyWorkLimiter, type HeavyWorkLimiterOptions } from './heavy-work-limiter.ts';

/** Notes and versions above this size are read through the limiter of their company. */
export const largeNoteBytes = 64 * 1024;

/** Pages of notes above this size are large. Most pulls bring less, such as a hundred notes of 1 KB. */
export const largePageBytes = 256 * 1024;

/** Reads within the byte budget of the process only. The content is in memory twice: as read and as JSON. */
export const budgetedReader = (reserveBytes: ReserveBytes): Reader => ({
  read: (bytes, read) =>
    2 * bytes > storedBudget.freeBytes ? reserveBytes(2 * bytes, read) : read(),
});

/** Reads at once, in work whose bytes are reserved already. */
export const reservedReader: Reader = { read: (_bytes, read) => read() };

type LimitOptions = {
  readonly heavyWork: HeavyWorkLimiterOptions;
  readonly largeReads: HeavyWorkLimiterOptions;
  readonly reserveBytes: ReserveBytes;
};

/**
 * Where the work of requests waits: each company has slots for heavy work and others for large reads, because a read of
 * milliseconds does not wait for a search or a push of seconds; and all companies share the byte budget of the process.
 */
export const createWorkLimits = ({
  heavyWork,
  largeReads,
  reserveBytes,
}: LimitOptions): WorkLimits => {
  const limitHeavyWork = createHeavyWorkLimiter(heavyWork);
  const limitReads = createHeavyWorkLimiter(largeReads);
  const { read: readInSlot } = budgetedReader(reserveBytes);
  return {
    heavy: (companyId, heldBytes, work) =>
      limitHeavyWork(companyId, () => (heldBytes > 0 ? reserveBytes(heldBytes, work) : work())),
    read: (companyId, bytes, read) => limitReads(companyId, () => readInSlot(bytes, read)),
    readInSlot,
    freeBytes: largeNoteBytes,
  };
};
