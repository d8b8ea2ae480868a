type Timed = { readonly at: string };

/** Entries in the order of time as the days of the browser's time zone on which they were made. */
export const byDay = <Entry extends Timed>(
  entries: readonly Entry[],
): readonly { readonly day: string; readonly entries: readonly Entry[] }[] => {
  const days: { readonly day: string; readonly entries: Entry[] }[] = [];
  for (const entry of entries) {
    const day = dayFormat.format(new Date(entry.at));
    const last = days.at(-1);
    if (last?.day === day) {
      last.entries.push(entry);
    } else {
      days.push({ day, entries: [entry] });
    }
  }
  return days;
};

const dayFormat = new Intl.DateTimeFormat(undefined, { dateStyle: 'full' });
