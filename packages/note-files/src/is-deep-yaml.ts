import { Parser, type CST } from 'yaml';

/** The properties of a note have at most 32 levels. */
const levelsMax = 100;

/**
 * Whether YAML is nested deeper than any note. The library composes values by recursion, and where that exceeds the stack, Node
 * 20 may end the process.
 */
export const isDeepYaml = (source: string): boolean => {
  if ((source.match(/[[{\-?:]/g)?.length ?? 0) <= levelsMax) {
    return false;
  }
  let level: CST.Token[] = [...new Parser().parse(source)];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > levelsMax) {
      return true;
    }
    level = level.flatMap(partsOf);
  }
  return false;
};

const partsOf = (token: CST.Token): CST.Token[] => {
  if (token.type === 'document') {
    return token.value ? [token.value] : [];
  }
  return 'items' in token
    ? token.items.flatMap(({ key, value }) => [...(key ? [key] : []), ...(value ? [value] : [])])
    : [];
};
