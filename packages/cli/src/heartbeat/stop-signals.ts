import { constants } from 'node:os';

const forwarded = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** What the outside wants of us: to stop, by a signal that the command gets too. */
export type StopSignals = {
  /** Aborted by the first signal. */
  readonly stop: AbortSignal;
  /** The exit code that the first signal stands for: 128 + its number. */
  readonly exitCode: () => number;
  /** Passes every signal on, until the returned function is called. */
  readonly forwardTo: (receive: (signal: NodeJS.Signals) => void) => () => void;
};

/** Takes over the signals of this process. Handlers stay: a signal may come twice. */
export const catchStopSignals = (): StopSignals => {
  const stopping = new AbortController();
  const receivers = new Set<(signal: NodeJS.Signals) => void>();
  let exitCode = 0;
  for (const signal of forwarded) {
    process.on(signal, () => {
      exitCode ||= 128 + constants.signals[signal];
      stopping.abort();
      for (const receive of receivers) {
        receive(signal);
      }
    });
  }
  return {
    stop: stopping.signal,
    exitCode: () => exitCode,
    forwardTo: (receive) => {
      receivers.add(receive);
      return () => receivers.delete(receive);
    },
  };
};
