import { Text } from '@mantine/core';
import type { Schema } from '@commonplace/client';
import { countNotes } from '../../../app/bulk/bulk-task.ts';

type SearchSummaryProps = {
  /** Whether the notes have all words of the search, or any of them. */
  readonly matched: 'all' | 'any' | undefined;
  /** The words that are in no note, and those that were searched for in their place. */
  readonly corrections: readonly Schema<'SearchCorrection'>[];
  /** Too many matches have no rank, and neither has a search that only excludes words. */
  readonly isRanked: boolean;
  /** Of the notes that are loaded. */
  readonly count: number;
  readonly hasMore: boolean;
};

/** What a search was for, if it guessed, how many notes it found, whether they have all words, and their order. */
export const SearchSummary = (props: SearchSummaryProps) => (
  // Its line is there from the beginning, so that the list does not move.
  <Text size="sm" c="dimmed" role="status" mih={20}>
    {props.count > 0 && [...props.corrections.map(describe), summaryOf(props)].join(' ')}
  </Text>
);

const wordsShown = 3;

const describe = ({ word, replacements }: Schema<'SearchCorrection'>): string =>
  `Showing ${replacements.slice(0, wordsShown).join(' or ')} instead of ${word}.`;

const summaryOf = ({ matched, isRanked, count, hasMore }: SearchSummaryProps): string => {
  const notes = `${hasMore ? 'More than ' : ''}${countNotes(count)}`;
  if (matched === 'any') {
    const verb = count === 1 && !hasMore ? 'has' : 'have';
    return `No note has all of these words. ${notes} ${verb} some of them or similar ones, the best match first.`;
  }
  return isRanked
    ? `${notes}. A search lists the best match first.`
    : `${notes}. These are not ranked: those changed last are first.`;
};
