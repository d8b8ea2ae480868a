import { useCallback, useEffect, useState } from 'react';
import { serverClock } from '../api/server-clock.ts';

/** What a page notices when a machine wakes, or one comes back to it: timers that slept go on where they stopped. */
const wakings = [
  [document, 'visibilitychange'],
  [document, 'resume'],
  [window, 'focus'],
  [window, 'online'],
] as const;

/** The time at the server, in milliseconds, and how to read it before the next refresh. */
export const useNow = (refreshMs: number | null) => {
  const [nowMs, setNowMs] = useState(serverClock.nowMs);
  const read = useCallback(() => setNowMs(serverClock.nowMs()), []);
  useEffect(() => {
    if (refreshMs === null) {
      return undefined;
    }
    const timer = setInterval(read, refreshMs);
    wakings.forEach(([target, name]) => target.addEventListener(name, read));
    return () => {
      clearInterval(timer);
      wakings.forEach(([target, name]) => target.removeEventListener(name, read));
    };
  }, [refreshMs, read]);
  return [nowMs, read] as const;
};
