type Choice = {
  readonly tests: readonly string[];
  /** Those that import what changed. */
  readonly related: readonly string[];
  readonly changed: readonly string[];
  readonly bytesOf: (test: string) => number;
};

/**
 * Orders tests by how likely they are to notice the change: the changed tests themselves, then those of a changed
 * package, then others that import it, then those that only run it. Within each, tests whose names share words with
 * changed files come first, then small ones.
 */
export function rankTests({ tests, related, changed, bytesOf }: Choice): string[] {
  const isChanged = new Set(changed);
  const isRelated = new Set(related);
  const packages = new Set(changed.map(packageOf));
  const words = new Set(changed.flatMap(wordsOf));
  const distanceOf = (test: string): number => {
    if (isChanged.has(test)) {
      return 0;
    }
    if (packages.has(packageOf(test))) {
      return 1;
    }
    return isRelated.has(test) ? 2 : 3;
  };
  return tests
    .map((test) => ({
      test,
      distance: distanceOf(test),
      shared: wordsOf(test).filter((word) => words.has(word)).length,
      bytes: bytesOf(test),
    }))
    .toSorted(
      (one, other) =>
        one.distance - other.distance || other.shared - one.shared || one.bytes - other.bytes,
    )
    .map(({ test }) => test);
}

const packageOf = (file: string): string => file.split('/').slice(0, 2).join('/');

/** The words of a file's path below its package: its rooms and its name. */
const wordsOf = (file: string): string[] =>
  file
    .split('/')
    .slice(3)
    .join('/')
    .replace(/(?:\.test)?\.\w+$/, '')
    .split(/[^a-z]+/)
    .filter((word) => word.length > 2);
