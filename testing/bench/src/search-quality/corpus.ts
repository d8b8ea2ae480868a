import { hash } from 'node:crypto';
import { chinese } from './chinese.ts';
import { english } from './english.ts';
import { french } from './french.ts';
import { german } from './german.ts';
import { japanese } from './japanese.ts';
import type { LanguageSet, QueryKind } from './language-set.ts';
import { russian } from './russian.ts';
import { spanish } from './spanish.ts';
import { thai } from './thai.ts';

const languages = [english, german, french, spanish, russian, japanese, chinese, thai];
const notesPerLanguage = 250;

export type CorpusNote = {
  readonly id: string;
  readonly title: string;
  readonly content: string;
  readonly folder: string;
  readonly tags: readonly string[];
};

export type CorpusQuery = {
  readonly language: string;
  readonly kind: QueryKind;
  readonly q: string;
  readonly relevantIds: readonly string[];
};

/** The 2,000 notes of the labelled set, the same in every run. Notes of all languages alternate. */
export const corpusNotes = (): CorpusNote[] =>
  Array.from({ length: notesPerLanguage }, (_, index) =>
    languages.map((language) => noteOf(language, index)),
  ).flat();

/** The labelled queries. */
export const corpusQueries = (): CorpusQuery[] =>
  languages.flatMap(({ language, queries }) =>
    queries.map(([kind, q, relevant]) => ({
      language,
      kind,
      q,
      relevantIds: relevant.map((name) => idOf(name.includes(':') ? name : `${language}:${name}`)),
    })),
  );

/** Target notes are spread over the corpus, so that none is among the newest or the oldest. */
const noteOf = (set: LanguageSet, index: number): CorpusNote => {
  const every = Math.floor(notesPerLanguage / set.targets.length);
  const target = index % every === 1 ? set.targets[Math.floor(index / every)] : undefined;
  if (!target) {
    return fillerOf(set, index);
  }
  const [name, title, content, folder, tags] = target;
  return { id: idOf(`${set.language}:${name}`), title, content, folder, tags };
};

/** Three to seven sentences, a title with its number, a folder and sometimes a tag. */
const fillerOf = (set: LanguageSet, index: number): CorpusNote => {
  const pick = picker(`${set.language} ${index}`);
  const sentences = Array.from({ length: 3 + pick.below(5) }, () => pick.of(set.fillerSentences));
  return {
    id: idOf(`${set.language} filler ${index}`),
    title: `${pick.of(set.fillerTitles)} ${index}`,
    content: [...new Set(sentences)].join('\n\n'),
    folder: pick.of(set.fillerFolders),
    tags: pick.below(2) === 0 ? [] : [pick.of(set.fillerTags)],
  };
};

/** A deterministic id: a UUID of version 8 from the hash of a name. */
const idOf = (name: string): string => {
  const hex = hash('sha256', `search quality ${name}`, 'hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
};

/** Picks by a hash of seed and step. */
const picker = (seed: string) => {
  let step = 0;
  const below = (max: number): number => {
    step += 1;
    return Number.parseInt(hash('sha256', `${seed} ${step}`, 'hex').slice(0, 8), 16) % max;
  };
  const of = (list: readonly string[]): string => list[below(list.length)] ?? '';
  return { below, of };
};
