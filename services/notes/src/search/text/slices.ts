/** A part of a text, in UTF-16 units. */
export type Slice = { readonly start: number; readonly end: number };

/** What may continue a word (see `tokenize.ts`); halves of surrogate pairs too, so that none is split. */
const inWord = /[\p{L}\p{N}\p{M}_\-'’‐‑\ud800-\udfff]/u;
const afterWord = /[^\p{L}\p{N}\p{M}_\-'’‐‑]/gu;
/** Longer words are rare enough to be looked for the end of. */
const wordMax = 100;

/**
 * The slices of a text of about this length. Each ends where no word does, so that they have the words of the text; one
 * that is longer than the longest slice is cut.
 */
export function* slicesOf(
  text: string,
  length: number,
  longest = Infinity,
): Generator<Slice, void> {
  for (let start = 0; start < text.length;) {
    const wordEnd = endOfSlice(text, start + length);
    const end = wordEnd - start > longest ? characterAt(text, start + longest) : wordEnd;
    yield { start, end };
    start = end;
  }
}

const endOfSlice = (text: string, wanted: number): number => {
  if (wanted >= text.length) {
    return text.length;
  }
  for (let end = wanted; end > wanted - wordMax && end > 0; end -= 1) {
    if (!inWord.test(text[end] ?? '')) {
      return end;
    }
  }
  afterWord.lastIndex = wanted;
  return afterWord.exec(text)?.index ?? text.length;
};

/** Where the character at this index begins: a cut there is not within a surrogate pair. */
export const characterAt = (text: string, at: number): number =>
  /[\udc00-\udfff]/.test(text[at] ?? '') ? at - 1 : at;
