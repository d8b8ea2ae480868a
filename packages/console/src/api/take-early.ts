import { serverClock } from './server-clock.ts';

/** What the first script of the document began, `early.ts`. */
export type Early = {
  /** By path, scripts that are loading into the browser's cache. */
  readonly files: Map<string, Promise<unknown>>;
  /** By company and address, responses of the API that nobody has taken. */
  readonly responses: Map<string, Promise<Response>>;
  /** When these responses arrived, by the browser's clock. */
  readonly arrivedMs: Map<Response, number>;
};

declare global {
  var commonplaceEarly: Early | undefined;
}

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
    return withServerTime(globalThis.fetch(request), Date.now());
  }
  responses?.delete(key);
  return untilAborted(withServerTime(early, performance.timeOrigin), request.signal);
};

/** Notes what time it was at the server between the request, or what was before it, and the response. */
const withServerTime = async (arriving: Promise<Response>, sentMs: number): Promise<Response> => {
  const response = await arriving;
  const arrivedMs = globalThis.commonplaceEarly?.arrivedMs.get(response) ?? Date.now();
  serverClock.learn(response, { sentMs, arrivedMs });
  return response;
};

const isPlainRead = ({ method, headers }: Request): boolean =>
  method === 'GET' && !(headers.get('accept') ?? '').includes('text/event-stream');

/** The response, unless the request is aborted first. */
const untilAborted = (early: Promise<Response>, signal: AbortSignal): Promise<Response> =>
  new Promise((resolve, reject) => {
    const giveUp = (): void => reject(signal.reason as Error);
    signal.addEventListener('abort', giveUp, { once: true });
    void early.then(resolve, reject).finally(() => signal.removeEventListener('abort', giveUp));
  });
