import { writeFile } from 'node:fs/promises';

/** Something that was done or seen, and by whom. */
type Entry = { readonly atMs: number; readonly who: string; readonly what: string };

/** A promise of the service that did not hold. */
type Violation = { readonly invariant: string; readonly detail: string };

/** What happened in a run, in the order in which it was seen. */
export type History = {
  readonly say: (who: string, what: string) => void;
  readonly violate: (invariant: string, detail: string) => void;
  readonly violations: () => readonly Violation[];
  readonly count: (name: string, by?: number) => void;
  readonly figures: () => Readonly<Record<string, number>>;
  /** Writes everything that names one of the words, all of it when there are none. */
  readonly write: (path: string, words: readonly string[]) => Promise<void>;
};

/** The first violations tell what is wrong; thousands more would only fill the disk. */
const violationsMax = 50;

/** Opens the history of a run. */
export const createHistory = (): History => {
  const since = performance.now();
  const entries: Entry[] = [];
  const violations: Violation[] = [];
  const figures: Record<string, number> = {};
  const say = (who: string, what: string): void => {
    entries.push({ atMs: Math.round(performance.now() - since), who, what });
  };
  return {
    say,
    violate: (invariant, detail) => {
      if (violations.length < violationsMax) {
        violations.push({ invariant, detail });
        say('VIOLATION', `${invariant}: ${detail}`);
      }
    },
    violations: () => violations,
    count: (name, by = 1) => {
      figures[name] = (figures[name] ?? 0) + by;
    },
    figures: () => figures,
    write: async (path, words) => {
      const lines = entries
        .filter(({ what }) => words.length === 0 || words.some((word) => what.includes(word)))
        .map(({ atMs, who, what }) => `${String(atMs).padStart(8)} ms  ${who}: ${what}`);
      await writeFile(path, `${lines.join('\n')}\n`);
    },
  };
};
