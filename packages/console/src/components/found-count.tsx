import { VisuallyHidden } from '@mantine/core';
import { useState } from 'react';
import { itemsOf, type Page } from '../api/pages.ts';
import { plural } from './plural.ts';

/** How a list is spoken of. */
export type Found = {
  /** What one item is called: "agent". */
  readonly noun: string;
  /** What the list shows; it has no functions. Without it only further pages are said. */
  readonly filter?: object;
  /** Said instead of a number. */
  readonly text?: string | null;
};

type Data = { readonly pages: readonly Page<unknown>[] };

type FoundCountProps = Found & {
  readonly query: {
    /** Undefined: not loaded. */
    readonly data: Data | undefined;
    readonly isPlaceholderData: boolean;
    readonly hasNextPage: boolean;
  };
  /** Whether more is loaded by scrolling: that is not said. */
  readonly isAutomatic?: boolean | undefined;
};

/**
 * Says to screen readers how much a list has once another filter applies, or more of it was loaded. Nothing is said as the page
 * opens, and of what comes and goes by itself.
 */
export const FoundCount = ({ query, isAutomatic = false, ...found }: FoundCountProps) => {
  const { data, isPlaceholderData } = query;
  const pages = data?.pages.length ?? 0;
  const shown = JSON.stringify(found.filter);
  const [said, setSaid] = useState({ shown, pages, text: '', count: 0 });
  const isNew = shown !== said.shown || (!isAutomatic && said.pages > 0 && pages > said.pages);
  if (data && !isPlaceholderData && (isNew || pages !== said.pages)) {
    const { text, count } = said;
    setSaid({
      shown,
      pages,
      ...(isNew
        ? { text: textOf(found, data, query.hasNextPage), count: count + 1 }
        : { text, count }),
    });
  }
  return (
    <VisuallyHidden role="status">
      {/* A new element: the same number is said again. */}
      <span key={said.count}>{said.text}</span>
    </VisuallyHidden>
  );
};

const textOf = ({ noun, text }: Found, data: Data, hasMore: boolean): string => {
  const count = itemsOf(data).length;
  return (
    text ??
    (count === 0 ? `No ${noun}s` : `${hasMore ? 'More than ' : ''}${count} ${plural(count, noun)}`)
  );
};
