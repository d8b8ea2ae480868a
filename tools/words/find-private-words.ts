import { privateWords } from './private-words.ts';

/** A private word in a file. */
export type WordFinding = { readonly file: string; readonly line: number; readonly word: string };

const words = Object.keys(privateWords);
const pattern = new RegExp(
  words.map((word) => `(?<![a-z])(${privateWords[word]?.pattern})(?![a-z])`).join('|'),
  'gi',
);

/** Uses that are no private words. `text` is removed before the words are looked for. */
type AllowedUse = { readonly files: RegExp; readonly text: RegExp };

/** History, generated files, contracts with others, and the page that lists the words. */
const allowedUses: readonly AllowedUse[] = [
  { files: /^CHANGELOG\.md$/, text: /\n## \d[^]*$/ },
  { files: /^docs\/adr\//, text: /^[^]*\nStatus: superseded[^]*$/ },
  { files: /^docs\/house-style\.md$/, text: /^\|.*\|$/gm },
  { files: /\/migrations\/\d|^docs\/postmortems\//, text: /\banew\b/g },
  { files: /commit-message/, text: /\bchore\b/g },
  // Names that clients and stored files rely on.
  { files: /./, text: /\b(?:unexpected_answer|isPullingAfresh)\b/g },
  // Former names, listed so that users find the present ones.
  { files: /^CHANGELOG\.md$/, text: /`[^`\n]+`/g },
  { files: /./, text: /https?:\/\/\S+/g },
  // What people and agents search for in sentences.
  {
    files:
      /^(?:(?=CHANGELOG)|docs\/|packages\/(?:openapi|client|cli|contracts)\/|services\/notes\/|testing\/bench\/).*(?:search|rank|context|CHANGELOG|architecture|cli\.md|contract\.md|mcp\.md|openapi\.json|api-types|list-notes|notes\/lists|agents-guide|parse-query|measurement\.ts|options\.ts|src\/plan\.)/,
    text: /questions?/gi,
  },
];

/** Texts of notes and of what is searched for in them, as people write them. */
const writtenTexts = /^testing\/bench\/src\/(?:search-quality\/|measurements\/search-quality\.ts$)/;

/** Finds the private words in the path and the text of a file; those in camelCase too. */
export const findPrivateWords = (file: string, text: string): WordFinding[] => {
  if (writtenTexts.test(file)) {
    return [];
  }
  const checked = allowedUses
    .filter(({ files }) => files.test(file))
    .reduce((rest, use) => rest.replace(use.text, (part) => part.replaceAll(/[^\n]/g, '')), text);
  return `${file.replaceAll('-', ' ')}\n${checked}`
    .split('\n')
    .flatMap((line, index) => wordsOf(line).map((word) => ({ file, line: index, word })));
};

const wordsOf = (line: string): string[] =>
  [...line.replaceAll(/([a-z])([A-Z])/g, '$1 $2').matchAll(pattern)].map(
    (match) => words[match.slice(1).findIndex((group) => group !== undefined)] ?? '',
  );
