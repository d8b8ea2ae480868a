/** Later a response of the document's first script is not what the server would send now. */
const earlyMs = 10_000;

/**
 * Sends a request to the API, or takes the response to the same one that `early.ts` sent before this code was there.
 * Each is taken once; a retry is sent.
 */
export const takeEarly = (request: Request): Promise<Response> => {
  const responses = globalThis.commonplaceEarly?.responses;
  const { pathname, search } = new URL(request.url);
  const key = `${request.headers.get('X-Company-Id') ?? ''} ${pathname}${search}`;
  const early = isPlainRead(request) ? responses?.get(key) : undefined;
  if (!early || performance.now() > earlyMs) {
    return globalThis.fetch(request);
  }
  responses?.delete(key);
  return untilAborted(early, request.signal);
};

const isPlainRead = ({ method, headers }: Request): boolean =>
  method === 'GET' && !(headers.get('accept') ?? '').includes('text/event-stream');

/** The response, unless whoever waits for it gives up first. */
const untilAborted = (early: Promise<Response>, signal: AbortSignal): Promise<Response> =>
  new Promise((resolve, reject) => {
    const giveUp = (): void => reject(signal.reason);
    signal.addEventListener('abort', giveUp, { once: true });
    void early.then(resolve, reject).finally(() => signal.removeEventListener('abort', giveUp));
  });
