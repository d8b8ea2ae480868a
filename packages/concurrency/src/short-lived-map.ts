/** A map for short-lived entries. */
export type ShortLivedMap<Key extends string, Value> = {
  readonly get: (key: Key) => Value | undefined;
  readonly set: (key: Key, value: Value) => void;
  readonly delete: (key: Key) => void;
};

/**
 * Creates a map for entries that live no longer than a request. V8 collects such entries of `Map` and `Set` late:
 * a full table links to its successor, so an old table retains all later entries until the next full collection.
 * The gateway retained 8 KB of each request that way, and spent ten times as long collecting short-lived objects.
 * Property tables have no such links (docs/adr/0032).
 */
export const createShortLivedMap = <Key extends string, Value>(): ShortLivedMap<Key, Value> => {
  const entries = Object.create(null) as Record<Key, Value | undefined>;
  return {
    get: (key) => entries[key],
    set: (key, value) => {
      entries[key] = value;
    },
    delete: (key) => {
      delete entries[key];
    },
  };
};
