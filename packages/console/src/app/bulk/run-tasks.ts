/** A task that failed, and why. */
type FailedTask<Task> = { readonly task: Task; readonly error: unknown };

/** How tasks ended. */
export type TasksReport<Task, Result> = {
  readonly done: readonly Result[];
  readonly failed: readonly FailedTask<Task>[];
  /** Not begun, because the operator stopped or because no further one could succeed. */
  readonly left: readonly Task[];
};

type RunTasks<Task, Result> = {
  readonly tasks: readonly Task[];
  readonly apply: (task: Task) => Promise<Result>;
  /** Whether the error would befall every other task too. */
  readonly isFatal: (error: unknown) => boolean;
  readonly onProgress: (ended: number) => void;
  readonly signal: AbortSignal;
};

/** The server writes what arrives together in one transaction; browsers open six connections to a host. */
const atOnceMax = 4;

/** Runs tasks, four at once. One that failed does not keep others from being done; a fatal error does. */
export const runTasks = async <Task, Result>({
  tasks,
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
      const index = next;
      const task = tasks[index] as Task;
      next += 1;
      try {
        done.set(index, await apply(task));
      } catch (error) {
        failed.set(index, { task, error });
        isOver ||= isFatal(error);
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
