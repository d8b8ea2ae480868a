/** The header has whole seconds, and a response takes time to arrive. Clocks that differ by less are taken for equal. */
const toleranceMs = 3_000;

const createServerClock = () => {
  let aheadMs = 0;
  return {
    /** Reads the time of the server from a response that arrived at this time of the browser. */
    learn: ({ headers }: Pick<Response, 'headers'>, arrivedMs: number): void => {
      const ahead = Date.parse(headers.get('date') ?? '') - arrivedMs;
      if (!Number.isNaN(ahead)) {
        aheadMs = Math.abs(ahead) > toleranceMs ? ahead : 0;
      }
    },
    /** The time at the server, in milliseconds: what it wrote is not in the future, whatever the clock of the browser says. */
    nowMs: (): number => Date.now() + aheadMs,
  };
};

/** The clock of the server, by the responses of the API. */
export const serverClock = createServerClock();
