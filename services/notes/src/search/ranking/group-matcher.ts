import type { stemsOf } from '../text/stem-word.ts';
import { tokenize, type WantsWord } from '../text/tokenize.ts';
import type { WordGroup } from './word-groups.ts';

/** A word of a text that is a form of a word of the query. UTF-16 units. */
export type WordHit = {
  readonly group: number;
  readonly start: number;
  readonly end: number;
  readonly isExact: boolean;
};

/** Finds the words of a text that are forms of words of a query. */
export type MatchText = (text: string) => readonly WordHit[];

type Sequence = { readonly terms: readonly string[]; readonly group: number };

type Forms = {
  readonly exact: ReadonlyMap<string, readonly number[]>;
  readonly stems: ReadonlyMap<string, readonly number[]>;
  readonly sequences: ReadonlyMap<string, readonly Sequence[]>;
  readonly prefixes: readonly { readonly prefix: string; readonly group: number }[];
  /** The first letters of all forms: most words of a text begin otherwise, and need no stem. */
  readonly beginnings: ReadonlySet<string>;
  readonly longest: number;
};

/** Creates the comparison of texts with the words of a query, whatever their forms. */
export const createGroupMatcher = (
  groups: readonly WordGroup[],
  {
    stems,
    corrections,
  }: {
    readonly stems: typeof stemsOf;
    readonly corrections: ReadonlyMap<string, readonly string[]>;
  },
): MatchText => {
  const forms = formsOf(groups, corrections);
  const groupsOf = remembered((term) => groupsOfTerm(forms, term, stems));
  const wantsWord = areFormsWords(forms) ? wantsBeginnings(forms.beginnings) : undefined;
  return (text) => {
    const hits: WordHit[] = [];
    const last: Place[] = [];
    tokenize(
      text,
      ({ term, kind, position, start, end }) => {
        if (forms.sequences.size > 0 && kind !== 'whole' && position !== null) {
          last.push({ term, start });
          if (last.length > forms.longest) {
            last.shift();
          }
          addSequences(forms, { last, end }, hits);
        }
        for (const { group, isExact } of groupsOf(term)) {
          hits.push({ group, start, end, isExact });
        }
      },
      wantsWord,
    );
    return hits;
  };
};

/** In a sequence every word has its place, and a prefix of one letter says little. */
const areFormsWords = ({ sequences, prefixes }: Forms): boolean =>
  sequences.size === 0 && prefixes.every(({ prefix }) => prefix.length > 1);

/** Words of texts whose groups are remembered for a search: few words of a text are new. */
const rememberedMax = 20_000;

const remembered = (
  groupsOf: (term: string) => readonly GroupOfTerm[],
): ((term: string) => readonly GroupOfTerm[]) => {
  const known = new Map<string, readonly GroupOfTerm[]>();
  return (term) => {
    let found = known.get(term);
    if (!found) {
      found = groupsOf(term);
      if (known.size < rememberedMax) {
        known.set(term, found);
      }
    }
    return found;
  };
};

/** Most words of a text begin otherwise than all forms of the words of a query. */
const wantsBeginnings = (beginnings: ReadonlySet<string>): WantsWord => {
  const wanted = new Set<number>();
  const single = new Set<number>();
  for (const beginning of beginnings) {
    const [first, second] = [beginning.charCodeAt(0), beginning.charCodeAt(1)];
    if (Number.isNaN(second)) {
      single.add(first);
    } else {
      wanted.add(first * 0x1_0000 + second);
    }
  }
  return (first, second) => {
    const lower = first | 0x20;
    return wanted.has(lower * 0x1_0000 + second) || single.has(lower);
  };
};

type Place = { readonly term: string; readonly start: number };

const formsOf = (
  groups: readonly WordGroup[],
  corrections: ReadonlyMap<string, readonly string[]>,
): Forms => {
  const exact = new Map<string, number[]>();
  const stems = new Map<string, number[]>();
  const sequences = new Map<string, Sequence[]>();
  for (const [group, { text, sequences: own, stems: ownStems }] of groups.entries()) {
    for (const terms of own) {
      const [first = ''] = terms;
      if (terms.length === 1) {
        addTo(exact, first, group);
      } else {
        addTo(sequences, terms.at(-1) ?? '', { terms, group });
      }
    }
    for (const stem of [...ownStems, ...(corrections.get(text) ?? [])]) {
      addTo(stems, stem, group);
    }
  }
  const prefixes = groups.flatMap(({ isPrefix, text }, group) =>
    isPrefix ? [{ prefix: text, group }] : [],
  );
  const keys = [...exact.keys(), ...stems.keys(), ...prefixes.map(({ prefix }) => prefix)];
  return {
    exact,
    stems,
    sequences,
    prefixes,
    beginnings: new Set(keys.map((key) => key.slice(0, 2))),
    longest: Math.max(1, ...groups.flatMap((one) => one.sequences.map(({ length }) => length))),
  };
};

const addTo = <Value>(map: Map<string, Value[]>, key: string, value: Value): void => {
  const list = map.get(key);
  if (list) {
    list.push(value);
  } else {
    map.set(key, [value]);
  }
};

const addSequences = (
  { sequences }: Forms,
  { last, end }: { readonly last: readonly Place[]; readonly end: number },
  hits: WordHit[],
): void => {
  const term = last.at(-1)?.term ?? '';
  for (const { terms, group } of sequences.get(term) ?? none) {
    const from = last.length - terms.length;
    if (from >= 0 && terms.every((one, index) => last[from + index]?.term === one)) {
      hits.push({ group, start: last[from]?.start ?? 0, end, isExact: true });
    }
  }
};

const none: readonly never[] = [];

type GroupOfTerm = { readonly group: number; readonly isExact: boolean };

/** The groups that a term of a text is a form of. */
const groupsOfTerm = (
  { exact, stems: ownStems, prefixes, beginnings }: Forms,
  term: string,
  stems: typeof stemsOf,
): readonly GroupOfTerm[] => {
  const found = exact.get(term)?.map((group) => ({ group, isExact: true })) ?? [];
  for (const { prefix, group } of prefixes) {
    if (term.startsWith(prefix) && term !== prefix) {
      found.push({ group, isExact: true });
    }
  }
  if (!beginnings.has(term.slice(0, 2))) {
    return found;
  }
  const seen = new Set(found.map(({ group }) => group));
  for (const form of [term, ...stems(term)]) {
    for (const group of [...(ownStems.get(form) ?? none), ...(exact.get(form) ?? none)]) {
      if (!seen.has(group)) {
        seen.add(group);
        found.push({ group, isExact: false });
      }
    }
  }
  return found;
};
