import type { Logger } from '@commonplace/http/core';
import type { RefusedBy } from './connection-limits.ts';

/** The shortest time between two lines about the same limit. */
const logIntervalMs = 10_000;

/**
 * Creates the function that logs refused connections: the first at once, later ones as a count every ten
 * seconds, with the address of the last.
 */
export const createRefusedConnectionLog = (
  log: Pick<Logger, 'warn'>,
): ((by: RefusedBy, address: string) => void) => {
  const pending = new Map<RefusedBy, { count: number; address: string }>();
  const write = (by: RefusedBy): void => {
    const refused = pending.get(by);
    pending.delete(by);
    if (refused && refused.count > 0) {
      log.warn({ limit: by, ...refused }, 'connections refused');
      pending.set(by, { count: 0, address: '' });
      setTimeout(() => write(by), logIntervalMs).unref();
    }
  };
  return (by, address) => {
    const refused = pending.get(by);
    pending.set(by, { count: (refused?.count ?? 0) + 1, address });
    if (!refused) {
      write(by);
    }
  };
};
