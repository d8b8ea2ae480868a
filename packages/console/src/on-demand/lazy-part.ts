import { lazy } from 'react';
import { explainNotLoaded } from './use-on-demand.ts';

const pauseMs = 1_000;
const pauseMaxMs = 10_000;
/** An outage shorter than this is not worth a message. */
const quietAttempts = 3;

/**
 * A part of a page whose code is loaded with it, but not needed at once. Unlike a component of `lazy` it tries again
 * while the server is unavailable: `lazy` remembers a failure, and the page around it would fail until it is reloaded.
 */
export const lazyPart = <Props extends object>(load: () => Promise<React.ComponentType<Props>>) =>
  lazy(async () => ({ default: await loadAgain(load, 1) }));

const loadAgain = async <Part>(load: () => Promise<Part>, attempt: number): Promise<Part> => {
  try {
    return await load();
  } catch {
    if (attempt === quietAttempts) {
      explainNotLoaded();
    }
    const waitMs = Math.min(pauseMaxMs, pauseMs * 2 ** (attempt - 1));
    await new Promise((resolve) => {
      setTimeout(resolve, waitMs);
    });
    return loadAgain(load, attempt + 1);
  }
};
