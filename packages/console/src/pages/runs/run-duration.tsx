import type { Schema } from '@commonplace/client';
import { useEffect, useState } from 'react';
import { serverClock } from '../../api/server-clock.ts';
import { formatDuration } from '../../components/format-duration.ts';

const refreshMs = 1_000;

/** How long a run took, or has been running. */
export const RunDuration = ({ run }: { readonly run: Schema<'Run'> }) => {
  const { startedAt, finishedAt } = run;
  const [nowMs, setNowMs] = useState(serverClock.nowMs);
  useEffect(() => {
    if (finishedAt !== null) {
      return undefined;
    }
    const timer = setInterval(() => setNowMs(serverClock.nowMs()), refreshMs);
    return () => clearInterval(timer);
  }, [finishedAt]);
  const endMs = finishedAt === null ? nowMs : Date.parse(finishedAt);
  return formatDuration(endMs - Date.parse(startedAt));
};
