/** The day of a time, as `2026-11-29`, in the browser's time zone. */
export const dayOf = (at: Date): string =>
  [at.getFullYear(), at.getMonth() + 1, at.getDate()]
    .map((part) => String(part).padStart(2, '0'))
    .join('-');

/** The time at which a day of the browser's time zone begins. */
export const startOfDay = (day: string, daysLater = 0): string => {
  const [year = 1970, month = 1, date = 1] = day.split('-').map(Number);
  return new Date(year, month - 1, date + daysLater).toISOString();
};
