import { useDeferredValue } from 'react';

/** They fill a window of 1,000 pixels. */
const initialRows = 12;

/**
 * The rows of a long list: first those that are visible, then all. React renders the rest in slices of a
 * few milliseconds, so that the page stays responsive. All rows end up in the document, for the browser's
 * search and for screen readers. The rows should be `memo`, or the first ones are rendered twice.
 */
export const useProgressiveRows = <Item>(items: readonly Item[]): readonly Item[] =>
  useDeferredValue(items, items.slice(0, initialRows));
