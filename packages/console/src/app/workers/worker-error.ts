/** Why there is no result: the worker's script could not be loaded, its task took too long, or the worker ended by an error. */
export type WorkerFailure = 'load' | 'time' | 'crash';

/** A worker did not come to a result. The same task may succeed later. */
export class WorkerError extends Error {
  readonly failure: WorkerFailure;

  constructor(failure: WorkerFailure) {
    super(`A worker had no result: ${failure}`);
    this.name = 'WorkerError';
    this.failure = failure;
  }
}

/** For tasks without which the caller goes on: null in place of the result. */
export const nullIfNoResult = (error: unknown): null => {
  if (error instanceof WorkerError) {
    return null;
  }
  throw error;
};

/** The reason in words; `task` is what was not done, such as "The texts could not be compared". */
export const explainNoResult = ({ failure }: WorkerError, task: string): string =>
  `${task}: ${reasons[failure]}`;

const reasons: Readonly<Record<WorkerFailure, string>> = {
  load: 'a part of the console could not be loaded. Check that the server is running, then try again or reload the page.',
  time: 'that took too long, and was stopped.',
  crash: 'that failed in this browser.',
};
