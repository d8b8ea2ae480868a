import { hash } from 'node:crypto';
import { readFileSync, readdirSync } from 'node:fs';

/** A note of the corpus. */
export type QuestionNote = {
  readonly id: string;
  readonly title: string;
  readonly content: string;
  readonly folder: string;
  readonly tags: readonly string[];
};

/** A question with the notes that answer it, and a part of the content of one of them that does. */
export type JudgedQuestion = {
  readonly id: string;
  readonly lang: string;
  readonly kind: string;
  readonly question: string;
  readonly notes: readonly string[];
  readonly answer: string;
};

const folder = new URL('questions/', import.meta.url);

/** The notes that the questions are about. */
export const questionNotes = (): QuestionNote[] =>
  readdirSync(new URL('corpus/', folder))
    .toSorted()
    .flatMap((name) => parsed<QuestionNote>(new URL(`corpus/${name}`, folder)));

/** The questions of the repository, or of another file of the same form. */
export const judgedQuestions = (file: string | null): JudgedQuestion[] =>
  parsed<JudgedQuestion>(file ?? new URL('questions.json', folder));

const parsed = <Item>(file: string | URL): Item[] =>
  JSON.parse(readFileSync(file, 'utf8')) as Item[];

/** The UUID of a note, of version 8. */
export const noteIdOf = (name: string): string => {
  const hex = hash('sha256', `judged question ${name}`, 'hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
};

/** Kinds of questions that words alone do not answer. */
export const isUnbound = (kind: string): boolean => ['paraphrase', 'cross-language'].includes(kind);
