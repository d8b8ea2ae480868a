/** The UTC day of a time, as budgets and sums count: 2026-11-27. */
export const utcDay = (ms: number): string => new Date(ms).toISOString().slice(0, 10);
