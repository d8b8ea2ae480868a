/** Clocks that differ by less are taken for equal. */
const toleranceMs = 3_000;
/** The header has whole seconds. */
const headerMs = 1_000;

/** When a request was sent and its response arrived, by the clock of the browser. */
type Times = { readonly sentMs: number; readonly arrivedMs: number };

const createServerClock = () => {
  let aheadMs = 0;
  return {
    /**
     * Reads the time of the server from a response. It was written at some time between the two, which may be hours where the
     * machine slept: what is known already stays if it is possible.
     */
    learn: ({ headers }: Pick<Response, 'headers'>, { sentMs, arrivedMs }: Times): void => {
      const writtenMs = Date.parse(headers.get('date') ?? '');
      if (!Number.isNaN(writtenMs)) {
        const least = writtenMs - arrivedMs;
        const most = writtenMs + headerMs - sentMs;
        const ahead = Math.max(least, Math.min(aheadMs, most));
        aheadMs = Math.abs(ahead) > toleranceMs ? ahead : 0;
      }
    },
    /** The time at the server, in milliseconds: what it wrote is not in the future, whatever the clock of the browser says. */
    nowMs: (): number => Date.now() + aheadMs,
  };
};

/** The clock of the server, by the responses of the API. */
export const serverClock = createServerClock();
