import { useEffect, useState } from 'react';

/** The state of a worker task. The previous output is kept while the next task runs. */
export type WorkerResult<Output> = {
  readonly output: Output | null;
  readonly isPending: boolean;
  readonly hasFailed: boolean;
};

type Run<Output> = (signal: AbortSignal) => Promise<Output | null>;

/** Runs a task again whenever `run` changes, and aborts the previous one. */
export const useWorkerResult = <Output>(run: Run<Output>): WorkerResult<Output> => {
  const [done, setDone] = useState<{ run: Run<Output>; output: Output | null } | null>(null);
  useEffect(() => {
    const stopping = new AbortController();
    const { signal } = stopping;
    void run(signal).then((output) => {
      if (!signal.aborted) {
        setDone({ run, output });
      }
    });
    return () => stopping.abort();
  }, [run]);
  const isPending = done?.run !== run;
  return {
    output: done?.output ?? null,
    isPending,
    hasFailed: !isPending && done.output === null,
  };
};
