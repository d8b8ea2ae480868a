import { useState } from 'react';
import { relativeText } from './relative-text.ts';
import { useNow } from './use-now.ts';

const exact = new Intl.DateTimeFormat(undefined, { dateStyle: 'full', timeStyle: 'long' });
const refreshMs = 30_000;

/** A relative time such as "2 hours ago"; the exact local time is in the tooltip. */
export const RelativeTime = ({ at }: { readonly at: string }) => {
  const [nowMs, refresh] = useNow(refreshMs);
  const [shownAt, setShownAt] = useState(at);
  // A time that has just come is not compared with the time of the last refresh.
  if (at !== shownAt) {
    setShownAt(at);
    refresh();
  }
  const date = new Date(at);
  return (
    <time dateTime={at} title={exact.format(date)}>
      {relativeText(date.getTime() - nowMs)}
    </time>
  );
};
