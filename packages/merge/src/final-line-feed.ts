import type { Texts } from './texts.ts';

/** The final line feed is merged separately, so that appending a line does not edit the one before. */
const isTerminated = (text: string): boolean => text.endsWith('\n');

/** A text without its final line feed. */
export const bodyOf = (text: string): string => (isTerminated(text) ? text.slice(0, -1) : text);

/** A merged text with the final line feed that it has. */
export const withEnd = ({ base, ours, theirs }: Texts, body: string): string => {
  const [before, mine, yours] = [base, ours, theirs].map(isTerminated);
  const isEnded = (mine === before ? yours : mine) === true;
  const isHalf = body.endsWith('\r') && ![base, ours, theirs].some((text) => text.endsWith('\r'));
  // Without a line feed of its own, a blank last line would be the end of the line before, and CRLF half a line break.
  return isEnded || isHalf || body.endsWith('\n') ? `${body}\n` : body;
};
