import { writeFile } from 'node:fs/promises';

/** One recorded step and its actor. */
type Entry = { readonly atMs: number; readonly actor: string; readonly what: string };

/** A violated invariant. */
type Violation = { readonly invariant: string; readonly detail: string };

/** Everything that happened in a run, in order of observation. */
export type History = {
  readonly record: (actor: string, what: string) => void;
  readonly violate: (invariant: string, detail: string) => void;
  readonly violations: () => readonly Violation[];
  readonly count: (name: string, by?: number) => void;
  readonly figures: () => Readonly<Record<string, number>>;
  /** Each violation with the last steps that name its notes and tokens, as readable lines. */
  readonly report: () => string[];
  /** Writes all entries to a file. */
  readonly write: (path: string) => Promise<void>;
};

/** The first violations are enough for a diagnosis. */
const violationsMax = 50;
const reportedMax = 5;
const stepsMax = 20;

/** Note ids and clients' tokens; the final full stop keeps token 1 from matching token 12. */
const namePattern = /[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}|\bc\d+-\d+\./g;

/** Creates the history of a run. */
export const createHistory = (): History => {
  const since = performance.now();
  const entries: Entry[] = [];
  const violations: Violation[] = [];
  const figures: Record<string, number> = {};
  const record = (actor: string, what: string): void => {
    entries.push({ atMs: Math.round(performance.now() - since), actor, what });
  };
  return {
    record,
    violate: (invariant, detail) => {
      if (violations.length < violationsMax) {
        violations.push({ invariant, detail });
        record('VIOLATION', `${invariant}: ${detail}`);
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
          ({ actor, what }) =>
            actor !== 'VIOLATION' && [...names].some((name) => what.includes(name)),
        );
        return [`${invariant}: ${detail}`, ...steps.slice(-stepsMax).map(lineOf)];
      }),
    write: (path) => writeFile(path, `${entries.map(lineOf).join('\n')}\n`),
  };
};

const lineOf = ({ atMs, actor, what }: Entry): string =>
  `${String(atMs).padStart(8)} ms  ${actor}: ${what}`;
