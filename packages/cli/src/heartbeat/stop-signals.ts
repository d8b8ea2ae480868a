import { constants } from 'node:os';
import { hasTerminal } from '@commonplace/config';

const handledSignals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** The stop signals of this process, which the command receives too. */
export type StopSignals = {
  /** Aborted by the first signal. */
  readonly stop: AbortSignal;
  /** The exit code for the first signal: 128 + its number; 0 without a signal. */
  readonly exitCode: () => number;
  /** Forwards every signal until the returned function is called. */
  readonly forwardTo: (receive: (signal: NodeJS.Signals) => void) => () => void;
};

/**
 * Installs handlers for the stop signals. They stay installed, because a signal may come twice. Without a terminal, as
 * with `nohup`, SIGHUP stops nothing; a command still receives it.
 */
export const catchStopSignals = (): StopSignals => {
  const stopping = new AbortController();
  const receivers = new Set<(signal: NodeJS.Signals) => void>();
  const isDetached = !hasTerminal();
  let exitCode = 0;
  for (const signal of handledSignals) {
    process.on(signal, () => {
      if (signal !== 'SIGHUP' || !isDetached) {
        exitCode ||= 128 + constants.signals[signal];
        stopping.abort();
      }
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
