const units = [
  { unit: 'year', seconds: 31_536_000 },
  { unit: 'month', seconds: 2_592_000 },
  { unit: 'week', seconds: 604_800 },
  { unit: 'day', seconds: 86_400 },
  { unit: 'hour', seconds: 3600 },
  { unit: 'minute', seconds: 60 },
] as const;
const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto' });
/** Smaller differences between the clocks of server and browser go unnoticed. What was written is not in the future. */
const skewSeconds = 5;

/**
 * A time ahead is rounded, so that 72 hours are 3 days also a second later; a past one counts whole
 * units.
 */
export const relativeText = (distanceMs: number): string => {
  const seconds = Math.round(distanceMs / 1000);
  const fitting = units.find((unit) => Math.abs(seconds) >= unit.seconds);
  return fitting
    ? relative.format(
        seconds > 0 ? Math.round(seconds / fitting.seconds) : Math.trunc(seconds / fitting.seconds),
        fitting.unit,
      )
    : seconds > skewSeconds
      ? 'in a moment'
      : 'just now';
};
