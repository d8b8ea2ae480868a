import { Text } from '@mantine/core';
import { countNotes } from '../../../app/bulk/bulk-task.ts';

type SearchSummaryProps = {
  /** Whether the notes have all words of the search, or any of them. */
  readonly matched: 'all' | 'any' | undefined;
  /** Too many matches have no rank, and neither has a search that only excludes words. */
  readonly isRanked: boolean;
  /** Of the notes that are loaded. */
  readonly count: number;
  readonly hasMore: boolean;
};

/** How many notes a search found, whether they have all its words, and their order, which is its own. */
export const SearchSummary = (props: SearchSummaryProps) => (
  // Its line is there from the beginning, so that the list does not move.
  <Text size="sm" c="dimmed" role="status" mih={20}>
    {props.count > 0 && summaryOf(props)}
  </Text>
);

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
