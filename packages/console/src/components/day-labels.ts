const dayLabel = new Intl.DateTimeFormat('en', { month: 'short', day: 'numeric', timeZone: 'UTC' });

const dateLabel = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeZone: 'UTC' });

/** From one day (`YYYY-MM-DD`) to another, with their year. */
export const daysText = (from: string, to: string): string =>
  dateLabel.formatRange(new Date(from), new Date(to));

/** As many days as have space below the bars, also on a phone. */
const daysMax = 5;

/** The labels of days (`YYYY-MM-DD`): the last one has one, and others at even distances before it; null for the rest. */
export const dayLabels = (days: readonly string[]): readonly (string | null)[] => {
  const step = Math.ceil(days.length / daysMax);
  return days.map((day, index) =>
    (days.length - 1 - index) % step === 0 ? dayLabel.format(new Date(day)) : null,
  );
};
