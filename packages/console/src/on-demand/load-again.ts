import { isOfOtherVersion, reloadForPart } from './earlier-version.ts';
import { explainNotLoaded } from './use-on-demand.ts';

const pauseMs = 1_000;
const pauseMaxMs = 10_000;
/** An outage shorter than this is not worth a message. */
const quietAttempts = 3;

/**
 * Loads a part of the console, again and again while the server is unavailable. If the page is of another version than the
 * server, the page is loaded again, unless that would lose unsaved work: then a message says so.
 */
export const loadAgain = async <Part>(load: () => Promise<Part>): Promise<Part> => {
  let wasOfOther = false;
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await load();
    } catch (error) {
      const isFirstOfOther: boolean = isOfOtherVersion(error) && !wasOfOther;
      if (isFirstOfOther && reloadForPart(error)) {
        return new Promise<never>(() => undefined);
      }
      wasOfOther ||= isFirstOfOther;
      if (isFirstOfOther || (attempt === quietAttempts && !wasOfOther)) {
        explainNotLoaded(error);
      }
      await pauseAfter(attempt);
    }
  }
};

const pauseAfter = (attempt: number): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, Math.min(pauseMaxMs, pauseMs * 2 ** (attempt - 1)));
  });
