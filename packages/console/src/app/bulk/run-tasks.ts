/** A task that failed, and why. */
type FailedTask<Task> = { readonly task: Task; readonly error: unknown };

/** How tasks ended. */
export type TasksReport<Task, Result> = {
  readonly done: readonly Result[];
  readonly failed: readonly FailedTask<Task>[];
  /** Not begun, because the operator stopped or because no further one could succeed. */
  readonly left: readonly Task[];
};

/** How one task ended. */
export type Outcome<Result> = { readonly result: Result } | { readonly error: unknown };

type RunTasks<Task, Result> = {
  readonly tasks: readonly Task[];
  /** The tasks of one request. */
  readonly together: number;
  /** Returns an outcome for each task; rejects if the request failed for all of them. */
  readonly apply: (tasks: readonly Task[]) => Promise<readonly Outcome<Result>[]>;
  /** Whether the error would befall every other task too. */
  readonly isFatal: (error: unknown) => boolean;
  readonly onProgress: (ended: number) => void;
  readonly signal: AbortSignal;
};

/** The server writes what arrives together in one transaction; browsers open six connections to a host. */
const atOnceMax = 4;

/** Runs tasks, with four requests at once. One that failed does not keep others from being done; a fatal error does. */
export const runTasks = async <Task, Result>({
  tasks,
  together,
  apply,
  isFatal,
  onProgress,
  signal,
}: RunTasks<Task, Result>): Promise<TasksReport<Task, Result>> => {
  const done = new Map<number, Result>();
  const failed = new Map<number, FailedTask<Task>>();
  let next = 0;
  let isOver = false;
  const work = async (): Promise<void> => {
    while (next < tasks.length && !isOver && !signal.aborted) {
      const from = next;
      const batch = tasks.slice(from, from + together);
      next += batch.length;
      const outcomes = await apply(batch).catch((error: unknown) => batch.map(() => ({ error })));
      for (const [index, task] of batch.entries()) {
        const outcome = outcomes[index] ?? { error: new Error('There is no outcome.') };
        if ('error' in outcome) {
          failed.set(from + index, { task, error: outcome.error });
          isOver ||= isFatal(outcome.error);
        } else {
          done.set(from + index, outcome.result);
        }
      }
      onProgress(done.size + failed.size);
    }
  };
  await Promise.all(Array.from({ length: Math.min(atOnceMax, tasks.length) }, work));
  return {
    done: inOrder(done),
    failed: inOrder(failed),
    left: tasks.slice(next),
  };
};

const inOrder = <Value>(values: ReadonlyMap<number, Value>): readonly Value[] =>
  [...values].toSorted(([one], [other]) => one - other).map(([, value]) => value);
