/**
 * Patterns of the paths of files that use a processor for less than half of their time, because they wait for real
 * timeouts, killed processes and back-off.
 */
export const waitingPaths: readonly string[] = [
  'packages/cli/test/heartbeat-(?:e2e|life)',
  'packages/console/test/unreliable-server',
  'testing/checker/test/checker',
  'testing/e2e/test/(?:raw-socket|slow-requests)',
].map((path) => String.raw`^${path}\.test\.ts$`);

const waiting = new RegExp(waitingPaths.join('|'));

/** Whether a file mostly waits. Such files run in a process of their own, beside the others. */
export const isWaiting = (file: string): boolean => waiting.test(file);
