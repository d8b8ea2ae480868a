import { useElementScrollRestoration } from '@tanstack/react-router';
import { useDeferredValue } from 'react';

/** They fill a window of 1,000 pixels. */
const initialRows = 24;

const atWindow = { getElement: () => window };

/**
 * The rows of a long list: first those that are visible, then all. React renders the rest in slices of a
 * few milliseconds, so that the page stays responsive. All rows end up in the document, for the browser's
 * search and for screen readers. The rows should be `memo`, or the first ones are rendered twice. Who comes back to a list
 * that was scrolled gets all at once: otherwise the page is too short to be where it was.
 */
export const useProgressiveRows = <Item>(items: readonly Item[]): readonly Item[] => {
  const wasScrolled = (useElementScrollRestoration(atWindow)?.scrollY ?? 0) > 0;
  return useDeferredValue(items, wasScrolled ? items : items.slice(0, initialRows));
};
