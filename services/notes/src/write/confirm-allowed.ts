import { checkMaxAgeMs } from '@commonplace/http';
import type { WriteRequest } from './change.ts';

/** A write that waits, and when its caller was last checked. */
export type CheckedWrite = {
  readonly request: Pick<WriteRequest, 'recheck'>;
  /** Monotonic clock; at first the time at which the request was submitted. */
  checkedAtMs: number;
};

/** Whether the caller was checked recently, or when the request was submitted. */
export const isRecentlyChecked = ({ checkedAtMs }: CheckedWrite): boolean =>
  performance.now() - checkedAtMs < checkMaxAgeMs;

/** Throws when the caller may no longer write. Checks nothing when the last check is recent. */
export const confirmAllowed = async (write: CheckedWrite): Promise<void> => {
  if (isRecentlyChecked(write)) {
    return;
  }
  const startedAtMs = performance.now();
  await write.request.recheck?.();
  write.checkedAtMs = startedAtMs;
};
