import { diffLines as compare } from 'diff';

/** Consecutive lines that are in both texts, or in one of them. */
export type DiffPart = {
  readonly value: string;
  readonly added: boolean;
  readonly removed: boolean;
};

type Bounds = { readonly maxEditLength: number } | { readonly timeout: number };

/** The difference of two texts by lines; null if it exceeds the bounds. */
export const diffLines = (
  before: string,
  after: string,
  bounds: Bounds,
): readonly DiffPart[] | null =>
  compare(before, after, bounds)?.map(({ value, added, removed }) => ({ value, added, removed })) ??
  null;
