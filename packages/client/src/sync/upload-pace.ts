import { ProblemError } from '../problem-error.ts';
import { foregroundLimits, type Batch, type BatchLimits } from './next-batch.ts';

/** How much one request sends. */
export type UploadPace = {
  readonly limits: () => BatchLimits;
  /** After a request that took too long: whether the next one, which is smaller, may get through. */
  readonly slowDown: (error: unknown, sent: Batch) => boolean;
};

const bytesMin = 64 * 1024;

/** Sends less after a request that a slow connection did not bring through in its time. */
export const createUploadPace = (): UploadPace => {
  let { bytes } = foregroundLimits;
  return {
    limits: () => ({ ...foregroundLimits, bytes }),
    slowDown: (error, sent) => {
      if (!isTooSlow(error)) {
        return false;
      }
      const notes = new Set(sent.map(({ id }) => id)).size;
      const { length } = JSON.stringify(sent);
      // What is small already is not what takes the time.
      if (notes < 2 || length <= bytesMin) {
        return false;
      }
      bytes = Math.max(bytesMin, Math.min(bytes, length) / 4);
      return true;
    },
  };
};

/** No response in time, or that of a server that did not have the whole request in its time. */
export const isTooSlow = (error: unknown): boolean =>
  error instanceof ProblemError
    ? error.status === 408
    : (error as Partial<Error> | null)?.name === 'TimeoutError';
