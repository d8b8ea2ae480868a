const charactersMax = 64;
const shownMax = 20;

/** What is wrong with the first tag that cannot be saved; null if all can be. */
export const tagProblem = (tags: readonly string[]): string | null => {
  const long = tags.map((tag) => [...tag]).find(({ length }) => length > charactersMax);
  return long === undefined
    ? null
    : `“${long.slice(0, shownMax).join('')}…” has more than ${charactersMax} characters.`;
};
