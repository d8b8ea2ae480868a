import { useEffect, useState } from 'react';

const units = [
  { unit: 'year', seconds: 31_536_000 },
  { unit: 'month', seconds: 2_592_000 },
  { unit: 'week', seconds: 604_800 },
  { unit: 'day', seconds: 86_400 },
  { unit: 'hour', seconds: 3600 },
  { unit: 'minute', seconds: 60 },
] as const;
const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto' });
const exact = new Intl.DateTimeFormat(undefined, { dateStyle: 'full', timeStyle: 'long' });
const refreshMs = 30_000;
/** The clocks of server and browser may differ by so much: what was written is not in the future. */
const skewSeconds = 5;

/** A relative time such as "2 hours ago"; the exact local time is in the tooltip. */
export const RelativeTime = ({ at }: { readonly at: string }) => {
  const [nowMs, setNowMs] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNowMs(Date.now()), refreshMs);
    return () => clearInterval(timer);
  }, []);
  const date = new Date(at);
  return (
    <time dateTime={at} title={exact.format(date)}>
      {relativeText(date.getTime() - nowMs)}
    </time>
  );
};

const relativeText = (distanceMs: number): string => {
  const seconds = Math.round(distanceMs / 1000);
  const fitting = units.find((unit) => Math.abs(seconds) >= unit.seconds);
  return fitting
    ? relative.format(Math.trunc(seconds / fitting.seconds), fitting.unit)
    : seconds > skewSeconds
      ? 'in a moment'
      : 'just now';
};
