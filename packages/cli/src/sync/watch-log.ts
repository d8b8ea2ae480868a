import { describeError } from '../describe-error.ts';
import { describeSummary, hasNews, type SyncSummary } from './sync-summary.ts';

/** Logs only what is new since the previous synchronisation, because a watch may run for days. */
export type WatchLog = {
  readonly logSummary: (summary: SyncSummary) => void;
  readonly logError: (error: unknown) => void;
};

/** Creates the log of all synchronisations after the first. */
export const createWatchLog = (log: (line: string) => void, first: SyncSummary): WatchLog => {
  let known = new Set(first.problems.map(formatProblem));
  let failedAtMs: number | null = null;
  return {
    logSummary: (summary) => {
      const problems = summary.problems.filter((each) => !known.has(formatProblem(each)));
      known = new Set(summary.problems.map(formatProblem));
      if (hasNews(summary) || problems.length > 0) {
        describeSummary({ ...summary, problems }).forEach(log);
      }
      if (failedAtMs !== null) {
        const seconds = Math.round((performance.now() - failedAtMs) / 1_000);
        failedAtMs = null;
        log(`synchronised again after ${seconds} s`);
      }
    },
    logError: (error) => {
      failedAtMs ??= performance.now();
      log(`synchronisation failed: ${describeError(error)}; retrying`);
    },
  };
};

const formatProblem = ({ path, problem }: SyncSummary['problems'][number]): string =>
  `${path}: ${problem}`;
