import { useEffect, useRef } from 'react';

/** A reading of many pages, which ends when it is stopped, begun again, or its component goes. */
export type ReadingControl = {
  readonly begin: () => AbortSignal;
  readonly stop: () => void;
};

export const useReading = (): ReadingControl => {
  const controller = useRef(new AbortController());
  const stop = (): void => controller.current.abort();
  useEffect(() => () => controller.current.abort(), []);
  return {
    begin: () => {
      stop();
      controller.current = new AbortController();
      return controller.current.signal;
    },
    stop,
  };
};

/** Whether an error only says that the reading was stopped. */
export const isStopped = (error: unknown): boolean =>
  error instanceof DOMException && error.name === 'AbortError';
