/** A heading of a Markdown text, outside lists, quotations and code. */
export type Heading = {
  /** 1 to 6. */
  readonly level: number;
  /** The source text of the heading, trimmed. */
  readonly text: string;
  /** The position of its first line. */
  readonly start: number;
  /** The position after its last line. */
  readonly end: number;
  /** The number of its first line, from 1. */
  readonly line: number;
};

/** The headings of a text, in order. */
export type OutlineOf = (text: string) => readonly Heading[];
