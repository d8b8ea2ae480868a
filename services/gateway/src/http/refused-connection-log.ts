import type { Logger } from '@commonplace/http/core';
import type { RefusedBy } from './connection-limits.ts';

/** A flood of connections writes a line for each limit, and no more, in this time. */
const logIntervalMs = 10_000;

/**
 * Logs connections that are refused: the first at once, and those after it counted in one line every ten
 * seconds, with the address of the last.
 */
export const createRefusedConnectionLog = (
  log: Pick<Logger, 'warn'>,
): ((by: RefusedBy, address: string) => void) => {
  const counts = new Map<RefusedBy, { count: number; address: string }>();
  const write = (by: RefusedBy): void => {
    const seen = counts.get(by);
    counts.delete(by);
    if (seen && seen.count > 0) {
      log.warn({ limit: by, ...seen }, 'connections refused');
      counts.set(by, { count: 0, address: '' });
      setTimeout(() => write(by), logIntervalMs).unref();
    }
  };
  return (by, address) => {
    const seen = counts.get(by);
    counts.set(by, { count: (seen?.count ?? 0) + 1, address });
    if (!seen) {
      write(by);
    }
  };
};
