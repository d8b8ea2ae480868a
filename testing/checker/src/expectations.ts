/** What the server acknowledged in one company, to be verified at the end. */
export type Expectations = {
  /** A new unique word. */
  readonly newToken: () => string;
  /** The number of tokens so far. */
  readonly tokenCount: () => number;
  /** Records that the server acknowledged the change with this token. */
  readonly acknowledge: (token: string) => void;
  readonly acknowledged: () => ReadonlySet<string>;
  /** Records that the server refused the change with this token. */
  readonly refuse: (token: string) => void;
  readonly refused: () => ReadonlySet<string>;
  /** Records a request to delete this revision of a note. */
  readonly expectDeletion: (noteId: string, revision: number | null) => void;
  readonly isExpectedDeletion: (noteId: string, revision: number) => boolean;
  /** Records that a text with this token replaced a note unconditionally. */
  readonly recordReplacement: (token: string) => void;
  readonly replacements: () => ReadonlySet<string>;
  /** Records the conflict copy of a mutation; false if the mutation has another one. */
  readonly recordConflictCopy: (mutation: string, copyId: string) => boolean;
  /** Records the note of a title; false if the title has another one. */
  readonly recordTitle: (title: string, noteId: string) => boolean;
};

/** Creates the expectations of one company. */
export const createExpectations = (name: string): Expectations => {
  let count = 0;
  const acknowledged = new Set<string>();
  const refused = new Set<string>();
  const deletions = new Set<string>();
  const replacements = new Set<string>();
  return {
    newToken: () => `${name}-${(count += 1)}.`,
    tokenCount: () => count,
    acknowledge: (token) => void acknowledged.add(token),
    acknowledged: () => acknowledged,
    refuse: (token) => void refused.add(token),
    refused: () => refused,
    expectDeletion: (noteId, revision) => void deletions.add(`${noteId}:${revision}`),
    isExpectedDeletion: (noteId, revision) => deletions.has(`${noteId}:${revision}`),
    recordReplacement: (token) => void replacements.add(token),
    replacements: () => replacements,
    recordConflictCopy: onlyOne(),
    recordTitle: onlyOne(),
  };
};

/** Remembers the first value of a key; false for another one. */
const onlyOne = () => {
  const known = new Map<string, string>();
  return (key: string, value: string): boolean => {
    known.set(key, known.get(key) ?? value);
    return known.get(key) === value;
  };
};

/** The tokens in a text. */
export const tokensIn = (text: string): string[] => text.match(/\b\w+-\d+\./g) ?? [];
