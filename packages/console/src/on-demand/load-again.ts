import { explainNotLoaded } from './use-on-demand.ts';

const pauseMs = 1_000;
const pauseMaxMs = 10_000;
/** An outage shorter than this is not worth a message. */
const quietAttempts = 3;

/** Loads a part of the console, again and again while the server is unavailable. */
export const loadAgain = async <Part>(load: () => Promise<Part>, attempt = 1): Promise<Part> => {
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
