/** A part of a text: plain text, or a link to the note with that title. */
export type TextPart = { readonly text: string; readonly title: string | null };

// What the notes service takes for a link (`extractLinks`), with the same bounds. In tables, `\|` stands before the text.
const wikiLink = /\[\[([^[\]|\n]{0,499}[^[\]|\\\n])(?:\|([^[\]\n]{0,500}))?\]\]/g;
const escapeOrWikiLink = /\\[^]|\[\[[^[\]|\n]{0,499}[^[\]|\\\n](?:\\?\|[^[\]\n]{0,500})?\]\]/g;

/**
 * Splits a text at its links, `[[Title]]`, `[[Title|text]]` and, in tables, `[[Title\|text]]`. The source is the text
 * before its escapes were resolved: `\[[Title]]` is not a link.
 */
export const wikiLinkParts = (text: string, source: string): readonly TextPart[] => {
  if (!text.includes('[[')) {
    return [{ text, title: null }];
  }
  const inSource = (source.match(escapeOrWikiLink) ?? [])
    .filter((found) => found.startsWith('[['))
    .map((found) => found.replaceAll('\\|', '|'));
  const parts: TextPart[] = [];
  let end = 0;
  let place = 0;
  for (const match of text.matchAll(wikiLink)) {
    const [whole, written = '', label = ''] = match;
    const title = written.trim();
    if (whole === inSource[place] && title !== '') {
      parts.push({ text: text.slice(end, match.index), title: null });
      parts.push({ text: label.trim() === '' ? title : label.trim(), title });
      end = match.index + whole.length;
    }
    place += whole === inSource[place] ? 1 : 0;
  }
  parts.push({ text: text.slice(end), title: null });
  return parts.filter(({ text: each }) => each !== '');
};
