import { useCallback, useEffect, useState } from 'react';
import { WorkerError } from './worker-error.ts';

/** The state of a worker task. The previous output is kept while the next task runs. */
export type WorkerResult<Output> = {
  readonly output: Output | null;
  readonly isPending: boolean;
  /** Its result is that there is none. */
  readonly isWithout: boolean;
  /** Why it did not come to a result. */
  readonly error: WorkerError | null;
  /** Runs the task once more. */
  readonly retry: () => void;
};

type Run<Output> = (signal: AbortSignal) => Promise<Output | null>;

type Done<Output> = {
  readonly run: Run<Output>;
  readonly attempt: number;
  readonly output: Output | null;
  readonly error: WorkerError | null;
};

/** Runs a task again whenever `run` changes, and aborts the previous one. */
export const useWorkerResult = <Output>(run: Run<Output>): WorkerResult<Output> => {
  const [done, setDone] = useState<Done<Output> | null>(null);
  const [attempt, setAttempt] = useState(0);
  useEffect(() => {
    const stopping = new AbortController();
    const { signal } = stopping;
    const finish = (result: Pick<Done<Output>, 'output' | 'error'>): void => {
      if (!signal.aborted) {
        setDone({ run, attempt, ...result });
      }
    };
    run(signal).then(
      (output) => finish({ output, error: null }),
      (error: unknown) =>
        finish({
          output: null,
          error: error instanceof WorkerError ? error : new WorkerError('crash'),
        }),
    );
    return () => stopping.abort();
  }, [run, attempt]);
  const isPending = done?.run !== run || done.attempt !== attempt;
  const error = isPending ? null : done.error;
  return {
    output: done?.output ?? null,
    isPending,
    isWithout: !isPending && done.output === null && error === null,
    error,
    retry: useCallback(() => setAttempt((before) => before + 1), []),
  };
};
