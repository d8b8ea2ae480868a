import { AppError } from '@commonplace/contracts/core';
import type { ClockDifference } from '@commonplace/identity';

let refused = 0;

/** Requests that this process refused because its clock and that of their sender differ. */
export const refusedByClock = (): number => refused;

/**
 * Throws 503 for an identity, or a run token, that is genuine by another clock. With 401 clients would take their
 * credentials for no longer valid, which they are. The log has the difference.
 */
export const assertSameTime = (difference: ClockDifference | null): void => {
  if (difference === null) {
    return;
  }
  refused += 1;
  const { issuer, aheadSeconds } = difference;
  const side = aheadSeconds > 0 ? 'ahead of' : 'behind';
  throw new AppError('service_unavailable', undefined, {
    cause: new Error(
      `The clock of ${issuer} is ${Math.abs(aheadSeconds)} s ${side} that of this process: synchronise the clocks (NTP)`,
    ),
    headers: { 'Retry-After': '5' },
  });
};
