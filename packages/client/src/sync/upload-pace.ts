import { ProblemError } from '../problem-error.ts';
import { foregroundLimits, type Batch, type BatchLimits } from './next-batch.ts';

/** How much one request sends. */
export type UploadPace = {
  readonly limits: () => BatchLimits;
  /** After a request that took too long: whether the next one, which is smaller, may get through. */
  readonly slowDown: (error: unknown, sent: Batch) => boolean;
  /** After a request that got through: the next ones become larger again, after some of them. */
  readonly speedUp: (sent: Batch) => void;
};

const bytesMin = 64 * 1024;

/** So many requests get through before larger ones are tried: on a slow connection, each that is too large costs its whole time. */
const sentMin = 10;

/**
 * Sends less after a request that a slow connection did not bring through in its time, and twice as much after ten that it
 * did, up to the limits of a request.
 */
export const createUploadPace = (): UploadPace => {
  let { bytes } = foregroundLimits;
  let sentInTime = 0;
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
      sentInTime = 0;
      return true;
    },
    speedUp: (sent) => {
      // A small request says nothing about larger ones.
      if (bytes === foregroundLimits.bytes || JSON.stringify(sent).length < bytes / 2) {
        return;
      }
      sentInTime += 1;
      if (sentInTime === sentMin) {
        bytes = Math.min(foregroundLimits.bytes, bytes * 2);
        sentInTime = 0;
      }
    },
  };
};

/** No response in time, or that of a server that did not have the whole request in its time. */
export const isTooSlow = (error: unknown): boolean =>
  error instanceof ProblemError
    ? error.status === 408
    : (error as Partial<Error> | null)?.name === 'TimeoutError';
