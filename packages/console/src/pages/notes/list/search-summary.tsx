import { Text } from '@mantine/core';
import type { Schema } from '@commonplace/client';
import { isSearchComplete, withoutTwins } from '../../../api/note-queries.ts';
import { countNotes } from '../../../components/count-notes.ts';

type Page = {
  readonly items: readonly Schema<'ListedNote'>[];
  readonly nextCursor: string | null;
  /** Whether the notes have all words of the search, or any of them. */
  readonly matched?: 'all' | 'any';
  readonly corrections?: readonly Schema<'SearchCorrection'>[];
  /** False while notes are still being indexed. */
  readonly isComplete?: boolean;
};

/** What a search took words for, how many notes it found, whether they have all words, and their order. */
export const SearchSummary = ({ pages }: { readonly pages: readonly Page[] }) => {
  const [first] = pages;
  return (
    // Its line is there from the beginning, so that the list does not move.
    <Text size="sm" c="dimmed" role="status" mih={20}>
      {first && sentencesOf(first, pages).join(' ')}
    </Text>
  );
};

const sentencesOf = (first: Page, pages: readonly Page[]): string[] => [
  ...(first.items.length === 0
    ? []
    : [...(first.corrections ?? []).map(describe), summaryOf(first, pages)]),
  ...(isSearchComplete(pages) ? [] : ['Notes are still being indexed, so some may be missing.']),
];

const wordsShown = 3;

const describe = ({ word, replacements }: Schema<'SearchCorrection'>): string =>
  `Showing ${replacements.slice(0, wordsShown).join(' or ')} instead of ${word}.`;

const summaryOf = ({ matched, items }: Page, pages: readonly Page[]): string => {
  const hasMore = pages.at(-1)?.nextCursor !== null;
  const count = withoutTwins(pages.flatMap((page) => page.items)).length;
  const notes = `${hasMore ? 'More than ' : ''}${countNotes(count)}`;
  if (matched === 'any') {
    const verb = count === 1 && !hasMore ? 'has' : 'have';
    return `No note has all of these words. ${notes} ${verb} some of them or similar ones, the best match first.`;
  }
  // Too many matches have no rank, and neither has a search that only excludes words.
  return items[0]?.rank === undefined
    ? `${notes}. These are not ranked: those changed last are first.`
    : `${notes}. A search lists the best match first.`;
};
