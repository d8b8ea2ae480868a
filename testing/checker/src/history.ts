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
  /** Each violation with the last steps that named its notes and words, for people. */
  readonly report: () => string[];
  /** Writes everything. */
  readonly write: (path: string) => Promise<void>;
};

/** The first violations tell what is wrong; thousands more would only fill the disk. */
const violationsMax = 50;
const reportedMax = 5;
const stepsMax = 20;

/** Ids of notes, and words that a client wrote (with their full stop, so that 1 is not found in 12). */
const namePattern = /[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}|\bc\d+-\d+\./g;

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
    report: () =>
      violations.slice(0, reportedMax).flatMap(({ invariant, detail }) => {
        const names = new Set(detail.match(namePattern));
        const steps = entries.filter(
          ({ who, what }) => who !== 'VIOLATION' && [...names].some((name) => what.includes(name)),
        );
        return [`${invariant}: ${detail}`, ...steps.slice(-stepsMax).map(lineOf)];
      }),
    write: (path) => writeFile(path, `${entries.map(lineOf).join('\n')}\n`),
  };
};

const lineOf = ({ atMs, who, what }: Entry): string =>
  `${String(atMs).padStart(8)} ms  ${who}: ${what}`;
