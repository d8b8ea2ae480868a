import type { Texts } from './texts.ts';

/**
 * Texts in which every line break is CRLF, with line feeds in their place, so that appending to an unfinished last line does not
 * edit it. Null for others: where breaks differ, a carriage return belongs to its line and is merged with it.
 */
export const withLineFeeds = ({ base, ours, theirs }: Texts): Texts | null => {
  const all = [base, ours, theirs];
  if (!all.some((text) => text.includes('\r\n')) || all.some((text) => /(?<!\r)\n/.test(text))) {
    return null;
  }
  return { base: toLineFeeds(base), ours: toLineFeeds(ours), theirs: toLineFeeds(theirs) };
};

const toLineFeeds = (text: string): string => text.replaceAll('\r\n', '\n');

/** A text with CRLF in place of its line feeds. */
export const withCrlf = (text: string): string => text.replaceAll('\n', '\r\n');
