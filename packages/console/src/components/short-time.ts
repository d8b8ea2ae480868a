const format = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' });

/** The local day and time to the minute, for names that tell similar entries apart. */
export const shortTime = (at: string): string => format.format(new Date(at));
