type Stop = () => Promise<void>;

const state = { stops: [] as Stop[], stopping: Promise.resolve(), isEndNoticed: false };

/**
 * Stops what several test files use, when the process that runs them ends. Node evaluates this module once per process
 * where it is loaded with `requireOutside`, as it has to be.
 */
export const stopWithWorker = (stop: Stop): void => {
  state.stops.push(stop);
  if (!state.isEndNoticed) {
    state.isEndNoticed = true;
    noticeEnd();
  }
};

/** Stops everything. Jest's global teardown calls it too: a run of one file has no worker. */
export const stopAll = (): Promise<void> => (state.stopping = state.stopping.then(stopRest));

const stopRest = async (): Promise<void> => {
  const results = await Promise.allSettled(state.stops.splice(0).map((stop) => stop()));
  for (const result of results) {
    if (result.status === 'rejected') {
      process.emitWarning(`Not stopped with the tests: ${String(result.reason)}`);
    }
  }
};

const sigtermExitCode = 143;

/**
 * A worker of Jest that is to end no longer listens to its parent, which sends SIGTERM after half a second, and at once
 * if the worker has become too large.
 */
const noticeEnd = (): void => {
  process.on('removeListener', (event) => {
    if (event === 'message' && process.listenerCount('message') === 0) {
      void stopAll();
    }
  });
  process.once('SIGTERM', () => void stopAll().then(() => process.exit(sigtermExitCode)));
};
