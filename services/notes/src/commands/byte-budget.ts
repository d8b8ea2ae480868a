/** Holds so many bytes of a budget while something is done; waits until they are there. */
export type HoldBytes = <Result>(bytes: number, work: () => Promise<Result>) => Promise<Result>;

/**
 * Bounds what heavy work of all companies holds in memory at the same time. Whoever comes first is served first,
 * also if it needs much and the next one little. A company has one line of such work at a time (its turns, its
 * lane), so it has few places in this queue, however much it asks for. What needs more than there is gets all.
 */
export const createByteBudget = (bytesMax: number) => {
  const waiting: { readonly bytes: number; readonly begin: () => void }[] = [];
  let held = 0;

  const admit = (): void => {
    for (let next = waiting[0]; next && held + next.bytes <= bytesMax; next = waiting[0]) {
      waiting.shift();
      held += next.bytes;
      next.begin();
    }
  };

  const hold: HoldBytes = async (wanted, work) => {
    const bytes = Math.min(wanted, bytesMax);
    await new Promise<void>((begin) => {
      waiting.push({ bytes, begin });
      admit();
    });
    try {
      return await work();
    } finally {
      held -= bytes;
      admit();
    }
  };

  return { hold, held: (): number => held };
};
