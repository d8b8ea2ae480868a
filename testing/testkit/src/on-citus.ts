import { describe } from '@jest/globals';
import { citusVariable } from './citus-cluster.ts';
import { describeIf } from './describe-if.ts';

// oxlint-disable-next-line node/no-process-env -- how the command of the tests names a cluster
const hasCluster = process.env[citusVariable] !== undefined;

/**
 * As Jest's `describe`, for what tests cannot observe on a Citus cluster. There they are skipped, with the reason in the
 * title.
 */
export const describeUnlessOnCitus =
  (reason: string) =>
  (title: string, tests: () => void): void => {
    if (hasCluster) {
      describe.skip(`${title} (not on Citus: ${reason})`, tests);
    } else {
      describe(title, tests);
    }
  };

/** As Jest's `describe`, for tests that need a Citus cluster. Without one they are skipped, and their title says why. */
export const describeOnCitus = describeIf(hasCluster, `${citusVariable} names no Citus cluster`);
