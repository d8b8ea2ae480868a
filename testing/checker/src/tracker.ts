/** What was tried and promised in one company, for the judgement at the end. */
export type Tracker = {
  /** A new word, found in no other text. */
  readonly newToken: () => string;
  /** The server said that the change with this word is kept. */
  readonly acknowledge: (token: string) => void;
  readonly acknowledged: () => ReadonlySet<string>;
  /** Somebody asked to delete this revision of this note. */
  readonly askToDelete: (noteId: string, revision: number | null) => void;
  readonly wasAskedToDelete: (noteId: string, revision: number) => boolean;
  /** Somebody put a text with this word in the place of whatever was there. */
  readonly replaceWith: (token: string) => void;
  readonly replacements: () => ReadonlySet<string>;
  /** One copy for each mutation that lost a conflict. */
  readonly keepCopy: (mutation: string, copyId: string) => boolean;
};

/** Begins to track a company. */
export const createTracker = (name: string): Tracker => {
  let count = 0;
  const acknowledged = new Set<string>();
  const deletions = new Set<string>();
  const replacements = new Set<string>();
  const copies = new Map<string, string>();
  return {
    newToken: () => `${name}-${(count += 1)}.`,
    acknowledge: (token) => void acknowledged.add(token),
    acknowledged: () => acknowledged,
    askToDelete: (noteId, revision) => void deletions.add(`${noteId}:${revision}`),
    wasAskedToDelete: (noteId, revision) => deletions.has(`${noteId}:${revision}`),
    replaceWith: (token) => void replacements.add(token),
    replacements: () => replacements,
    keepCopy: (mutation, copyId) => {
      const known = copies.get(mutation) ?? copyId;
      copies.set(mutation, known);
      return known === copyId;
    },
  };
};

/** The words of a text. */
export const tokensIn = (text: string): string[] => text.match(/\b\w+-\d+\./g) ?? [];
