type Send = (request: Request) => Promise<Response>;

let operators = 0;

/** The changes that the operator of this page sends. */
export const changesOfOperator = {
  /**
   * What was sent so far has no response any more: another operator is signed in by now. What waits for one waits for good, and is
   * gone with the pages of the former operator; nothing outside of these may wait for a change.
   */
  forget: (): void => {
    operators += 1;
  },
  /** What is read needs none of it: nothing that was loaded is kept for another operator. */
  watch:
    (send: Send): Send =>
    async (request) => {
      const since = operators;
      try {
        return await send(request);
      } finally {
        if (since !== operators && request.method !== 'GET') {
          await new Promise(() => undefined);
        }
      }
    },
};
