import { foldWord } from './fold-word.ts';

/**
 * A term of a text and where it is. A `word` is a word, or a part of an identifier. A `whole` is an identifier
 * without its separators, at the position of its first part. A `pair` is two neighbouring ideographs or kana, a
 * `character` a single one. A `character` within a run has no position of its own.
 */
export type Token = {
  readonly term: string;
  readonly kind: 'word' | 'whole' | 'pair' | 'character';
  /** Counts words and ideographs of the text from 0; null: see above. */
  readonly position: number | null;
  /** UTF-16 units. */
  readonly start: number;
  readonly end: number;
};

/** Gets the tokens of a text in order; false: no more are wanted. */
type Visit = (token: Token) => boolean | void;

/** A word with what joins the parts of an identifier or a compound: `file_name`, `well-known`, `l'eau`. */
const chunk = /[\p{L}\p{N}][\p{L}\p{N}\p{M}_\-'’‐‑]*/gu;
const ascii = /^[\u0000-\u007f]*$/;
const ideographs = String.raw`[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\u3005\u30fc]`;
const dictionary = String.raw`[\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]`;
/** The runs of a chunk by how their words are found. */
const run = new RegExp(
  String.raw`(?<ideographs>${ideographs}+)|(?<dictionary>${dictionary}+)|(?<letters>(?:(?!${ideographs}|${dictionary})[^])+)`,
  'gu',
);
const needsRuns = new RegExp(`${ideographs}|${dictionary}`, 'u');
/** The parts of `fileName`, `HTTPServer` and `file_name`. */
const asciiPart = /[A-Z]+(?![a-z])[0-9]*|[A-Z]?[a-z]+[0-9]*|[0-9]+[a-z]*|[A-Z]+/g;
const part =
  /\p{Lu}+(?!\p{Ll})[\p{N}\p{M}]*|\p{Lu}?[\p{Ll}\p{Lo}\p{Lm}\p{Lt}\p{M}]+\p{N}*|\p{N}+[\p{Ll}\p{Lo}\p{M}]*|\p{L}+/gu;

const segmenter = new Intl.Segmenter(undefined, { granularity: 'word' });
/** Intl.Segmenter gets pieces of this length, because its time is not linear in the length of a text. */
const segmentedMax = 500;

/** Whether a plain word is wanted that begins with these two letters; after a single letter, `second` is what follows it. */
export type WantsWord = (first: number, second: number) => boolean;

/**
 * Visits the tokens of a text in order. With `wantsWord`, plain words that it refuses are not visited. They are most of a
 * text, so they are found by their letters: with a regular expression each takes ten times as long.
 */
export const tokenize = (text: string, visit: Visit, wantsWord?: WantsWord): void => {
  let pattern: RegExp | null = null;
  let position = 0;
  for (let start = 0; start < text.length;) {
    if (isAsciiSign(text, start)) {
      start += 1;
      continue;
    }
    const plainEnd = endOfPlain(text, start);
    if (plainEnd > start) {
      const isWanted = !wantsWord || wantsWord(text.charCodeAt(start), text.charCodeAt(start + 1));
      if (isWanted && visit(plainToken(text, { start, end: plainEnd, position })) === false) {
        return;
      }
      position += 1;
      start = plainEnd;
      continue;
    }
    pattern ??= new RegExp(chunk);
    pattern.lastIndex = start;
    const found = pattern.exec(text);
    if (!found) {
      return;
    }
    const next = visitChunk({ letters: found[0], start: found.index, position }, visit);
    if (next === null) {
      return;
    }
    position = next;
    start = pattern.lastIndex;
  }
};

/** What an ASCII character is in a plain word. */
const kinds = { punctuation: 0, lower: 1, upper: 2, digit: 3, joiner: 4, beyond: 5 } as const;
const asciiKinds = Uint8Array.from({ length: 0x80 }, (_, code) => {
  const character = String.fromCharCode(code);
  return /[a-z]/.test(character)
    ? kinds.lower
    : /[A-Z]/.test(character)
      ? kinds.upper
      : /[0-9]/.test(character)
        ? kinds.digit
        : /[_'-]/.test(character)
          ? kinds.joiner
          : kinds.punctuation;
});

/** The kind of a character; beyond the end of the text, punctuation. */
const kindAt = (text: string, at: number): number => {
  if (at >= text.length) {
    return kinds.punctuation;
  }
  const code = text.charCodeAt(at);
  return code < 0x80 ? (asciiKinds[code] ?? 0) : kinds.beyond;
};

/** Whether no word begins here. */
const isAsciiSign = (text: string, at: number): boolean => {
  const kind = kindAt(text, at);
  return kind === kinds.punctuation || kind === kinds.joiner;
};

/**
 * The end of the plain word that begins here: one lower-case word, perhaps with a capital or digits, or a number.
 * `start`: there is none, or it is part of something else.
 */
const endOfPlain = (text: string, start: number): number => {
  const first = kindAt(text, start);
  const begin = first === kinds.digit ? kinds.digit : kinds.lower;
  const rest = first === kinds.digit ? kinds.lower : kinds.digit;
  let end = first === kinds.upper ? start + 1 : start;
  let kind = kindAt(text, end);
  if (kind !== begin) {
    return start;
  }
  while (kind === begin) {
    end += 1;
    kind = kindAt(text, end);
  }
  while (kind === rest) {
    end += 1;
    kind = kindAt(text, end);
  }
  return kind === kinds.punctuation ? end : start;
};

const plainToken = (
  text: string,
  {
    start,
    end,
    position,
  }: { readonly start: number; readonly end: number; readonly position: number },
): Token => ({
  term: foldWord(text.slice(start, end)),
  kind: 'word',
  position,
  start,
  end,
});

type Run = { readonly letters: string; readonly start: number; readonly position: number };

/** Visits the tokens of a chunk; returns the next position, null: no more tokens are wanted. */
const visitChunk = (of: Run, visit: Visit): number | null => {
  if (ascii.test(of.letters) || !needsRuns.test(of.letters)) {
    return visitParts(of, visit);
  }
  let position: number | null = of.position;
  for (const { 0: letters, index, groups } of of.letters.matchAll(run)) {
    const inRun: Run = { letters, start: of.start + index, position };
    if (groups?.['ideographs'] !== undefined) {
      position = visitPairs(inRun, visit);
    } else {
      position = (groups?.['dictionary'] === undefined ? visitParts : visitSegments)(inRun, visit);
    }
    if (position === null) {
      return null;
    }
  }
  return position;
};

/** Visits the parts of an identifier, or the one word, and the whole. */
const visitParts = ({ letters, start, position: from }: Run, visit: Visit): number | null => {
  const parts = [...letters.matchAll(ascii.test(letters) ? asciiPart : part)];
  const last = parts.at(-1);
  if (parts.length > 1 && last) {
    const term = foldWord(parts.slice(0, partsMax).join(''));
    const end = start + last.index + last[0].length;
    if (visit({ term, kind: 'whole', position: from, start, end }) === false) {
      return null;
    }
  }
  let position = from;
  for (const { 0: text, index } of parts) {
    const at = start + index;
    const token = { term: foldWord(text), position, start: at, end: at + text.length } as const;
    if (visit({ ...token, kind: 'word' }) === false) {
      return null;
    }
    position += 1;
  }
  return position;
};

/** Longer identifiers are folded to their beginning all the same. */
const partsMax = 64;

/** Visits the words of a script without spaces. */
const visitSegments = ({ letters, start, position: from }: Run, visit: Visit): number | null => {
  let position = from;
  for (let offset = 0; offset < letters.length; offset += segmentedMax) {
    const piece = letters.slice(offset, offset + segmentedMax);
    for (const { segment, index } of segmenter.segment(piece)) {
      const at = start + offset + index;
      const token = { term: foldWord(segment), position, start: at, end: at + segment.length };
      if (visit({ ...token, kind: 'word' }) === false) {
        return null;
      }
      position += 1;
    }
  }
  return position;
};

/** Visits the pairs and characters of a run of ideographs or kana. */
const visitPairs = ({ letters, start, position: from }: Run, visit: Visit): number | null => {
  let position = from;
  let at = start;
  let before = '';
  for (const character of letters) {
    if (before !== '') {
      const single = { term: foldWord(before), kind: 'character', position: null } as const;
      const end = at + character.length;
      const term = foldWord(before + character);
      const pair = { term, kind: 'pair', position, start: at - before.length, end } as const;
      if (visit(pair) === false || visit({ ...single, start: pair.start, end: at }) === false) {
        return null;
      }
      position += 1;
    }
    before = character;
    at += character.length;
  }
  const last = { term: foldWord(before), kind: 'character', position } as const;
  const isWanted = visit({ ...last, start: at - before.length, end: at });
  return isWanted === false ? null : position + 1;
};
