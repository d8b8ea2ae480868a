import { useDeferredValue } from 'react';

/** They fill a window of 1,000 pixels. */
const rowsAtOnce = 12;

/**
 * The rows of a long list: at first those that can be seen, then all of them. React makes the others in
 * steps of a few milliseconds, between which the page answers keys and clicks. In the end every row is in
 * the document, for the search of the browser and for screen readers. The rows should be `memo`, or the
 * first ones are made twice.
 */
export const useRowsInSteps = <Item>(items: readonly Item[]): readonly Item[] =>
  useDeferredValue(items, items.slice(0, rowsAtOnce));
