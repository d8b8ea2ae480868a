const units = ['bytes', 'KB', 'MB', 'GB', 'TB'] as const;

/** A size in the largest unit that fits, of 1,000 each: `12.3 MB`. */
export const formatBytes = (bytes: number): string => {
  let size = bytes;
  let unit = 0;
  while (size >= 999.5 && unit < units.length - 1) {
    size /= 1000;
    unit += 1;
  }
  const digits = unit > 0 && size < 99.95 ? 1 : 0;
  return `${size.toFixed(digits)} ${units[unit] ?? ''}`;
};
