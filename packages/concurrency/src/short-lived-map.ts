/** Values by key, of entries that come and go. */
export type ShortLivedMap<Key extends string, Value> = {
  readonly get: (key: Key) => Value | undefined;
  readonly set: (key: Key, value: Value) => void;
  readonly delete: (key: Key) => void;
};

/**
 * Makes a map for entries that live as long as a request or less. With V8's own `Map` and `Set` such entries
 * are collected late: tables that have run full lead to their successors, so that one which has grown old
 * keeps all that came after it until the next full collection. The gateway held 8 KB of every request that way,
 * and spent ten times as long on collecting its young objects. Tables of properties lead nowhere
 * (docs/adr/0032).
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
