/** A text as lines; whether its last line ends with a line feed is apart, so that appending edits no line. */
export type TextLines = { readonly lines: readonly string[]; readonly isTerminated: boolean };

/** The lines of a text; none for an empty one. */
export const linesOf = (text: string): TextLines => {
  if (text === '') {
    return { lines: [], isTerminated: false };
  }
  const isTerminated = text.endsWith('\n');
  return { lines: (isTerminated ? text.slice(0, -1) : text).split('\n'), isTerminated };
};

/** The text of lines. */
export const textOf = ({ lines, isTerminated }: TextLines): string =>
  lines.length === 0 ? '' : `${lines.join('\n')}${isTerminated ? '\n' : ''}`;
