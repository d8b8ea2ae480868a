import { describe } from '@jest/globals';

/** As Jest's `describe` if the condition holds. Otherwise the tests are skipped, and their title says why. */
export const describeIf =
  (condition: boolean, reason: string) =>
  (title: string, tests: () => void): void => {
    if (condition) {
      describe(title, tests);
    } else {
      describe.skip(`${title} (skipped: ${reason})`, tests);
    }
  };
