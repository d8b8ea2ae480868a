const format = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' });

/** The local day and time to the minute, for names that distinguish similar entries. */
export const shortTime = (at: string): string => format.format(new Date(at));
