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
/** One lower-case word, by far the most frequent. */
const plain = /^[A-Z]?[a-z]+$/;
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

/** Visits the tokens of a text in order. */
export const tokenize = (text: string, visit: Visit): void => {
  const pattern = new RegExp(chunk);
  let position = 0;
  for (let found = pattern.exec(text); found; found = pattern.exec(text)) {
    const [letters] = found;
    const start = found.index;
    if (plain.test(letters)) {
      const end = start + letters.length;
      if (visit({ term: foldWord(letters), kind: 'word', position, start, end }) === false) {
        return;
      }
      position += 1;
      continue;
    }
    const next = visitChunk({ letters, start, position }, visit);
    if (next === null) {
      return;
    }
    position = next;
  }
};

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
