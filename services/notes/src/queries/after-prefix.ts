/** The last character of Unicode. */
export const lastCharacter = '\u{10ffff}';

/** In byte order, a text after all that begin with the prefix. */
export const afterPrefix = (prefix: string): string => `${prefix}${lastCharacter}`;
