/** A part of an excerpt; `at` is its place in it. */
export type ExcerptPart = { readonly text: string; readonly isMatch: boolean; readonly at: number };

const part = /⟦([^⟧]*)⟧|[^⟦]+/gu;

/** The parts of a search excerpt, whose matches are between ⟦ and ⟧. */
export const excerptParts = (excerpt: string): ExcerptPart[] =>
  [...excerpt.matchAll(part)].map(({ 0: text, 1: match, index }) => ({
    text: match ?? text,
    isMatch: match !== undefined,
    at: index,
  }));
