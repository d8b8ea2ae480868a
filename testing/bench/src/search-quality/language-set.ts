/** What a query needs of the search. */
export type QueryKind =
  | 'word'
  | 'words'
  | 'inflection'
  | 'accent'
  | 'identifier'
  | 'phrase'
  | 'prefix'
  | 'typo'
  | 'tag or folder'
  | 'compound';

/** A note that queries are to find: its name, title, content, folder and tags. */
type TargetNote = readonly [
  name: string,
  title: string,
  content: string,
  folder: string,
  tags: readonly string[],
];

/** A query with the names of all relevant notes; `Language:name` for one of another language. */
type LabelledQuery = readonly [kind: QueryKind, q: string, relevant: readonly string[]];

/** The notes and queries of one language. Fillers are parts of notes that are relevant to no query. */
export type LanguageSet = {
  readonly language: string;
  readonly targets: readonly TargetNote[];
  readonly queries: readonly LabelledQuery[];
  readonly fillerTitles: readonly string[];
  readonly fillerSentences: readonly string[];
  readonly fillerFolders: readonly string[];
  readonly fillerTags: readonly string[];
};

const inOtherScripts = ['Japanese:code', 'Chinese:code', 'Thai:code'];
/** The notes of all languages with the identifier `file_name`, and those with `maxRetryCount`. */
export const uploadNotes = ['English:upload', ...inOtherScripts];
export const retryNotes = ['English:retry', ...inOtherScripts];
