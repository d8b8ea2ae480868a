const units = [
  ['d', 86_400],
  ['h', 3_600],
  ['min', 60],
  ['s', 1],
] as const;

/** A duration in its two largest units: `2 min 5 s`. */
export const formatDuration = (durationMs: number): string => {
  const seconds = Math.max(0, Math.round(durationMs / 1000));
  const first = units.findIndex(([, unitSeconds]) => seconds >= unitSeconds);
  if (first === -1) {
    return 'under 1 s';
  }
  let rest = seconds;
  return units
    .slice(first, first + 2)
    .map(([name, unitSeconds]) => {
      const count = Math.floor(rest / unitSeconds);
      rest %= unitSeconds;
      return count === 0 ? '' : `${count} ${name}`;
    })
    .filter((text) => text !== '')
    .join(' ');
};
