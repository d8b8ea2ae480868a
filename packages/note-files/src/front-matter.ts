/** The parts of a file with front matter: YAML between two lines `---`. */
export type FrontMatter = {
  /** Everything before the content, as it is in the file. */
  readonly block: string;
  /** The parts of the block: the first line, the YAML with its line breaks, and the last line. */
  readonly open: string;
  readonly yaml: string;
  readonly close: string;
};

const pattern = /^(\ufeff?---[ \t]*\r?\n)([^]*?\r?\n)(---[ \t]*(?:\r?\n|$))/;

/** Empty front matter, which marks the following `---` as content; see formatNoteFile. */
const empty = /^(---\r?\n)()(---\r?\n)(?=\ufeff?---)/;

/** Splits front matter from the content of a file; null without front matter. */
export const splitFrontMatter = (file: string): FrontMatter | null => {
  const match = empty.exec(file) ?? pattern.exec(file);
  if (!match) {
    return null;
  }
  const [block, open = '', yaml = '', close = ''] = match;
  return { block, open, yaml, close };
};

/** YAML has one form of line breaks. */
export const withLineFeeds = (text: string): string => text.replaceAll('\r\n', '\n');
