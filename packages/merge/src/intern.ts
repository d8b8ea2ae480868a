/** Numbers the distinct blocks: comparing numbers makes the search fast. */
export const internAll = (texts: readonly (readonly string[])[]) => {
  const numberOf = new Map<string, number>();
  const intern = (block: string): number => {
    const number = numberOf.get(block) ?? numberOf.size;
    numberOf.set(block, number);
    return number;
  };
  const numbers = texts.map((blocks) => blocks.map(intern));
  return { numbers, blocks: [...numberOf.keys()] };
};

/** The number of leading and trailing blocks common to all texts, without overlap. */
export const commonEnds = (texts: readonly (readonly number[])[]) => {
  const shortest = Math.min(...texts.map((text) => text.length));
  const first = texts[0] ?? [];
  let head = 0;
  while (head < shortest && texts.every((text) => text[head] === first[head])) {
    head += 1;
  }
  let tail = 0;
  while (
    tail < shortest - head &&
    texts.every((text) => text.at(-1 - tail) === first.at(-1 - tail))
  ) {
    tail += 1;
  }
  return { head, tail };
};
