import type { CompanyId } from '@commonplace/contracts/core';
import type { stemsOf } from './stem-word.ts';
import { slicesOf } from './slices.ts';
import { tokenize, type Token } from './tokenize.ts';

/** What is searched of a note. */
export type SearchedNote = {
  readonly title: string;
  readonly content: string;
  readonly folder: string;
  readonly tags: readonly string[];
};

/**
 * A note as it is indexed: a `tsvector` in its text format, the words for corrections and prefixes, and how many words
 * the note has, which ranking compares.
 */
export type SearchDocument = {
  readonly document: string;
  readonly words: readonly string[];
  readonly wordCount: number;
};

/**
 * The prefix of all terms of a company, so that a search reads the index of its own company only. The end of
 * the id is random. Two companies with the same prefix share no more than the cost: rows have their company.
 */
export const termPrefix = (companyId: CompanyId): string => companyId.slice(-6);

/** PostgreSQL keeps at most this position, and this number of positions per term. */
const positionMax = 16_383;
const positionsPerTermMax = 255;
/**
 * Approximate bytes of terms and positions in a document; PostgreSQL allows 1 MiB. Text of the largest notes fits,
 * unless nearly all its words are different.
 */
const bytesMax = { stems: 450_000, words: 850_000, neighbours: 970_000 } as const;
/** Different words of one note that are stemmed: each takes up to 80 µs. */
const stemmedMax = 20_000;

/** Marks a document without a complete list of neighbours: every phrase of its words may be in it. */
export const anyPhrase = '\u0001';

/** The term of two neighbours in a note whose positions are incomplete: a hash of five digits. */
export const neighbours = (first: string, second: string): string =>
  `\u0001${(hashOf(`${first} ${second}`) % 36 ** 5).toString(36)}`;

/** FNV-1a. */
const hashOf = (text: string): number => {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  }
  return hash >>> 0;
};

type Weight = 'A' | 'B' | 'C' | 'D';

type State = {
  readonly prefix: string;
  readonly stems: typeof stemsOf;
  readonly terms: Map<string, string[]>;
  readonly words: Set<string>;
  bytes: number;
  /** The first position of the next field; the gap keeps phrases within a field. */
  from: number;
  wordCount: number;
  arePositionsComplete: boolean;
  areWordsComplete: boolean;
};

/** What documents of one company are built with. */
export type DocumentOptions = { readonly prefix: string; readonly stems: typeof stemsOf };

/**
 * Builds the document of a note. Title terms have weight A, tags and folder B, content C; stems are one weight
 * below their word, those of the content without position. Yields after every part of the text, because the costliest
 * notes take a second.
 */
export function* buildDocument(
  note: SearchedNote,
  { prefix, stems }: DocumentOptions,
): Generator<void, SearchDocument> {
  const state: State = {
    prefix,
    stems,
    terms: new Map(),
    words: new Set(),
    bytes: 0,
    from: 1,
    wordCount: 0,
    arePositionsComplete: true,
    areWordsComplete: true,
  };
  yield* addField(state, note.title, 'A');
  for (const tag of note.tags) {
    yield* addField(state, tag, 'B');
  }
  yield* addField(state, note.folder, 'B');
  yield* addField(state, note.content, 'C');
  if (!state.arePositionsComplete) {
    yield* addNeighbours(state, note);
  }
  const document = [...state.terms].map(([term, at]) => lexeme(`${prefix}${term}`, at)).join(' ');
  return { document, words: [...state.words], wordCount: state.wordCount };
}

/** Terms are letters and digits; the quotes are doubled all the same. */
const lexeme = (term: string, at: readonly string[]): string =>
  `'${term.replaceAll("'", "''").replaceAll('\\', '\\\\')}'${at.length > 0 ? `:${at.join(',')}` : ''}`;

const below = { A: 'B', B: 'C', C: 'D', D: 'D' } as const;

/** UTF-16 units of text that are read at once: some milliseconds if all words are new. */
const sliceLength = 1_024;

function* addField(state: State, text: string, weight: Weight): Generator<void, void> {
  let words = 0;
  for (const slice of slicesOf(text, sliceLength)) {
    if (isFull(state)) {
      state.arePositionsComplete = false;
      state.areWordsComplete = false;
      break;
    }
    words += addSlice(state, text.slice(slice.start, slice.end), {
      from: state.from + words,
      weight,
    });
    yield;
  }
  state.from += words + 9;
  state.wordCount += words;
}

const isFull = ({ bytes }: State): boolean => bytes > bytesMax.words;

type SlicePlace = { readonly from: number; readonly weight: Weight };

/** Returns how many words the slice has. */
const addSlice = (state: State, text: string, { from, weight }: SlicePlace): number => {
  let words = 0;
  tokenize(text, (token) => {
    const { position } = token;
    if (isFull(state)) {
      return false;
    }
    words = position === null ? words : position + 1;
    const at = position === null ? null : from + position;
    addTerm(state, token.term, at === null ? null : { at, weight });
    if (at !== null && (token.kind === 'word' || token.kind === 'whole')) {
      addWord(state, token);
      addStems(state, token.term, { at, weight });
    }
    return true;
  });
  return words;
};

type Place = { readonly at: number; readonly weight: Weight };

const addTerm = (state: State, term: string, place: Place | null): void => {
  let places = state.terms.get(term);
  if (!places) {
    places = [];
    state.terms.set(term, places);
    state.bytes += state.prefix.length + Buffer.byteLength(term) + 4;
  }
  if (!place) {
    return;
  }
  if (place.at > positionMax || places.length >= positionsPerTermMax) {
    state.arePositionsComplete = false;
    return;
  }
  state.bytes += places.length === 0 ? 4 : 2;
  places.push(`${place.at}${place.weight}`);
};

const addStems = (state: State, term: string, { at, weight }: Place): void => {
  if (state.words.size > stemmedMax || state.bytes > bytesMax.stems) {
    return;
  }
  const isContent = weight === 'C';
  for (const stem of state.stems(term)) {
    if (!isContent || !state.terms.has(stem)) {
      const place = isContent || at > positionMax ? null : { at, weight: below[weight] };
      addTerm(state, stem, place);
    }
  }
};

const wordLettersMax = 40;
/** Numbers, ids and hashes are found, but neither corrected nor completed. */
const digitsMax = 4;
const digit = /\d/g;

const addWord = (state: State, { term }: Token): void => {
  if (state.words.has(term)) {
    return;
  }
  if (term.length > 1 && term.length <= wordLettersMax && digitsOf(term) <= digitsMax) {
    state.words.add(term);
  }
};

const digitsOf = (term: string): number => term.match(digit)?.length ?? 0;

/** Adds all pairs of neighbours in title and content, so that phrases are found where positions are missing. */
function* addNeighbours(state: State, { title, content }: SearchedNote): Generator<void, void> {
  for (const text of [title, content]) {
    let before: string | null = null;
    for (const { start, end } of slicesOf(text, sliceLength)) {
      tokenize(text.slice(start, end), ({ term, kind, position }) => {
        if (kind === 'whole' || position === null) {
          return true;
        }
        if (before !== null) {
          addTerm(state, neighbours(before, term), null);
        }
        before = term;
        return state.bytes <= bytesMax.neighbours;
      });
      yield;
      if (state.bytes > bytesMax.neighbours) {
        break;
      }
    }
  }
  if (state.bytes > bytesMax.neighbours || !state.areWordsComplete) {
    addTerm(state, anyPhrase, null);
  }
}
