/** By name, the end of what this tab holds or held last: a lock that it has just given back is not taken for that of another tab. */
const ends = new Map<string, Promise<unknown>>();

/**
 * Takes a name for this tab, until the function that it returns is called or the tab is gone. Null: another tab of this browser
 * has it. A browser that gives no locks lets every tab have it.
 */
export const takeForTab = (name: string): Promise<(() => void) | null> =>
  requestLock(name).catch(() => () => undefined);

const requestLock = async (name: string): Promise<(() => void) | null> => {
  await ends.get(name);
  const taken = Promise.withResolvers<(() => void) | null>();
  const end = navigator.locks.request(name, { ifAvailable: true }, (lock) => {
    const held = Promise.withResolvers<void>();
    taken.resolve(lock && held.resolve);
    return lock ? held.promise : undefined;
  });
  ends.set(
    name,
    end.catch((error: unknown) => taken.reject(error)),
  );
  return taken.promise;
};

/** The names that tabs of this browser have; none where it gives no locks. */
export const listTaken = (): Promise<ReadonlySet<string>> =>
  queryLocks().catch(() => new Set<string>());

const queryLocks = async (): Promise<ReadonlySet<string>> => {
  const { held = [] } = await navigator.locks.query();
  return new Set(held.flatMap(({ name }) => name ?? []));
};
