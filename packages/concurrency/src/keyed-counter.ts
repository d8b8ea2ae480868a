/** Sums by key. */
export type KeyedCounter = {
  readonly get: (key: string) => number;
  /** Adds to a sum and returns it. */
  readonly add: (key: string, amount: number) => number;
};

/** Creates a counter that keeps no key whose sum is 0. */
export const createKeyedCounter = (): KeyedCounter => {
  const sums = new Map<string, number>();
  const get = (key: string): number => sums.get(key) ?? 0;
  return {
    get,
    add: (key, amount) => {
      const sum = get(key) + amount;
      if (sum > 0) {
        sums.set(key, sum);
      } else {
        sums.delete(key);
      }
      return sum;
    },
  };
};
