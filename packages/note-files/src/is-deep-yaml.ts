import { Lexer, Parser } from 'yaml';

/** The properties of a note have at most 32 levels. A level may be two of the parser's. */
const levelsMax = 100;

/**
 * Whether YAML is nested deeper than any note. The library works by recursion where levels end, and where that exceeds the
 * stack, Node 20 may end the process. So it is parsed piece by piece, until it is too deep.
 */
export const isDeepYaml = (source: string): boolean => {
  const parser = new Parser();
  for (const lexeme of new Lexer().lex(source)) {
    Array.from(parser.next(lexeme));
    if (parser.stack.length > levelsMax) {
      return true;
    }
  }
  return false;
};
