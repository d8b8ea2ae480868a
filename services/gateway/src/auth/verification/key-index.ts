/** Finds the keys of the entries that depend on an id. */
export type KeyIndex = {
  readonly add: (key: string, ids: readonly string[]) => void;
  readonly remove: (key: string, ids: readonly string[]) => void;
  readonly keysOf: (ids: ReadonlySet<string>) => readonly string[];
};

/** Creates an index that keeps no id without a key. */
export const createKeyIndex = (): KeyIndex => {
  const keysById = new Map<string, Set<string>>();
  return {
    add: (key, ids) => {
      for (const id of ids) {
        keysById.set(id, (keysById.get(id) ?? new Set()).add(key));
      }
    },
    remove: (key, ids) => {
      for (const id of ids) {
        const keys = keysById.get(id);
        keys?.delete(key);
        if (keys?.size === 0) {
          keysById.delete(id);
        }
      }
    },
    keysOf: (ids) => [...ids].flatMap((id) => [...(keysById.get(id) ?? [])]),
  };
};
