import { useCallback, useEffect, useState } from 'react';
import { serverClock } from '../api/server-clock.ts';
import { callEvery } from './shared-timer.ts';

/** The time at the server, in milliseconds, and how to read it before the next refresh. */
export const useNow = (refreshMs: number | null) => {
  const [nowMs, setNowMs] = useState(serverClock.nowMs);
  const read = useCallback(() => setNowMs(serverClock.nowMs()), []);
  useEffect(() => (refreshMs === null ? undefined : callEvery(refreshMs, read)), [refreshMs, read]);
  return [nowMs, read] as const;
};
