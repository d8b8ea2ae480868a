/** What the keys of drafts in this browser begin with; then comes the operator whose they are. */
export const draftPrefix = 'commonplace.draft.';

let signOuts = 0;

/** The sign-outs on this page so far: a form that was opened before one stores no more drafts. */
export const countSignOuts = (): number => signOuts;

/** The keys that begin so. A browser that keeps no data has none. */
export const storedKeys = (prefix: string): readonly string[] => {
  try {
    return Object.keys(localStorage).filter((key) => key.startsWith(prefix));
  } catch {
    return [];
  }
};

/** Where drafts of a text may be: that of one tab under its key and, where several had it open, those of others below it. */
export const keysOfTabs = (textKey: string): readonly string[] => [
  textKey,
  ...storedKeys(`${textKey}.`).toSorted(),
];

/** What is stored under keys as texts to be copied, where it is a draft. */
export const textsOfKeys = <Draft>(
  keys: readonly string[],
  read: (key: string) => Draft | null,
  textOf: (draft: Draft) => string,
) =>
  keys.flatMap((key) => {
    const draft = read(key);
    return draft === null ? [] : [{ key, text: textOf(draft) }];
  });

const keysOf = (operatorId: string): readonly string[] =>
  storedKeys(`${draftPrefix}${operatorId}.`);

/** How many texts of an operator this browser keeps that were not saved. */
export const countDraftsOf = (operatorId: string): number => keysOf(operatorId).length;

/** Removes the drafts of an operator: who signs out leaves nothing in this browser. Those of others are theirs. */
export const removeDraftsOf = (operatorId: string): void => {
  signOuts += 1;
  keysOf(operatorId).forEach((key) => localStorage.removeItem(key));
};

/** What is stored under a key; null: nothing that can be read. */
export const readStored = (key: string): unknown => {
  try {
    return JSON.parse(localStorage.getItem(key) ?? 'null');
  } catch {
    return null;
  }
};

/** Returns whether the browser has stored it: it may keep no data, or have no space. What was stored before stays then. */
export const writeStored = (key: string, value: object): boolean => {
  try {
    localStorage.setItem(key, JSON.stringify(value));
    return true;
  } catch {
    return false;
  }
};

export const removeStored = (key: string): void => {
  try {
    localStorage.removeItem(key);
  } catch {
    // A browser that keeps no data has no drafts.
  }
};
