import type { IncomingMessage, Server } from 'node:http';
import { isProbe } from './is-probe.ts';
import { trimMemory } from './trim-memory.ts';

type TrimOptions = {
  /** Whether the process has worked on something that did not come as a request. */
  readonly hasWorked?: (() => boolean) | undefined;
  readonly trim?: () => void;
  /** Runs something a moment later. */
  readonly later?: (decide: () => void) => void;
};

const momentMs = 500;

/**
 * Gives back what starting took, but a moment after the start: collecting keeps two processors busy for 50 ms
 * in each process, and while others still start with us they need them more. Not at all once somebody asked
 * for something (`trimMemory` says why); probes do not count.
 */
export const trimWhenUnused = (
  server: Server,
  {
    hasWorked = () => false,
    trim = trimMemory,
    later = (decide) => void setTimeout(decide, momentMs).unref(),
  }: TrimOptions = {},
): void => {
  let isUsed = false;
  const note = ({ url }: IncomingMessage): void => {
    isUsed ||= !isProbe(url);
  };
  const decide = (): void => {
    server.off('request', note);
    if (!isUsed && !hasWorked()) {
      trim();
    }
  };
  server.on('request', note);
  later(decide);
};
