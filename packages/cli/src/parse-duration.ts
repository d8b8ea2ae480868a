const unitMs = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;

/** The longest wait that a timer takes is 2^31 milliseconds, a little more than this. */
const longestMs = 24 * unitMs.d;

/** Reads `30s`, `5m`, `1h` or `1d` as milliseconds; null for anything else, zero included. */
export const parseDuration = (text: string): number | null => {
  const [, digits, unit] = /^(\d{1,7})([smhd])$/.exec(text) ?? [];
  if (digits === undefined || unit === undefined) {
    return null;
  }
  const ms = Number(digits) * unitMs[unit as keyof typeof unitMs];
  return ms > 0 && ms <= longestMs ? ms : null;
};
