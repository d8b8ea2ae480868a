/** What the server acknowledged in one company, to be verified at the end. */
export type Expectations = {
  /** A new unique word. */
  readonly newToken: () => string;
  /** Records that the server acknowledged the change with this token. */
  readonly acknowledge: (token: string) => void;
  readonly acknowledged: () => ReadonlySet<string>;
  /** Records a request to delete this revision of a note. */
  readonly expectDeletion: (noteId: string, revision: number | null) => void;
  readonly isExpectedDeletion: (noteId: string, revision: number) => boolean;
  /** Records that a text with this token replaced a note unconditionally. */
  readonly recordReplacement: (token: string) => void;
  readonly replacements: () => ReadonlySet<string>;
  /** Records the conflict copy of a mutation; false if the mutation has another one. */
  readonly recordConflictCopy: (mutation: string, copyId: string) => boolean;
};

/** Creates the expectations of one company. */
export const createExpectations = (name: string): Expectations => {
  let count = 0;
  const acknowledged = new Set<string>();
  const deletions = new Set<string>();
  const replacements = new Set<string>();
  const replicas = new Map<string, string>();
  return {
    newToken: () => `${name}-${(count += 1)}.`,
    acknowledge: (token) => void acknowledged.add(token),
    acknowledged: () => acknowledged,
    expectDeletion: (noteId, revision) => void deletions.add(`${noteId}:${revision}`),
    isExpectedDeletion: (noteId, revision) => deletions.has(`${noteId}:${revision}`),
    recordReplacement: (token) => void replacements.add(token),
    replacements: () => replacements,
    recordConflictCopy: (mutation, copyId) => {
      const known = replicas.get(mutation) ?? copyId;
      replicas.set(mutation, known);
      return known === copyId;
    },
  };
};

/** The tokens in a text. */
export const tokensIn = (text: string): string[] => text.match(/\b\w+-\d+\./g) ?? [];
