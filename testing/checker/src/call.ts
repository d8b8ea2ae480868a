import type { SyncResult } from '@commonplace/contracts';

/** What becomes of a request on its way. */
export type Mishap = 'none' | 'request lost' | 'answer lost' | 'cut midway' | 'sent twice';

/** Where and as whom a client calls. */
export type Caller = { readonly baseUrl: string; readonly key: string };

/** An answer of the API; null when there was none. */
export type Answer = {
  readonly status: number;
  readonly body: unknown;
  readonly revision: number | null;
} | null;

/** What is asked. */
export type Ask = {
  readonly method: string;
  readonly path: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
};

const limitMs = 20_000;

/** Asks once; whatever breaks off is no answer. */
export const call = async (
  { baseUrl, key }: Caller,
  { method, path, body, headers = {} }: Ask,
  signal?: AbortSignal,
): Promise<Answer> => {
  const signals = [AbortSignal.timeout(limitMs), ...(signal ? [signal] : [])];
  try {
    const response = await fetch(`${baseUrl}${path}`, {
      method,
      signal: AbortSignal.any(signals),
      headers: {
        authorization: `Bearer ${key}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    const revision = /^"(\d+)"$/.exec(response.headers.get('etag') ?? '')?.[1];
    return {
      status: response.status,
      body: text === '' ? null : (JSON.parse(text) as unknown),
      revision: revision === undefined ? null : Number(revision),
    };
  } catch {
    return null;
  }
};

/** Asks with a mishap on the way; what the caller gets is what it would have got then. */
export const callWith = async (
  caller: Caller,
  ask: Ask,
  mishap: { readonly kind: Mishap; readonly afterMs: number },
): Promise<Answer[]> => {
  switch (mishap.kind) {
    case 'request lost':
      return [null];
    case 'answer lost':
      await call(caller, ask);
      return [null];
    case 'cut midway':
      return [await call(caller, ask, AbortSignal.timeout(mishap.afterMs))];
    case 'sent twice':
      return Promise.all([call(caller, ask), call(caller, ask)]);
    case 'none':
      return [await call(caller, ask)];
  }
};

/** Nobody is at fault: a part of the system is away, or the request never came through. */
export const isAway = (answer: Answer): answer is null =>
  answer === null || [502, 503, 504].includes(answer.status);

/** The answer to a synchronisation. */
export const syncResultOf = (answer: NonNullable<Answer>): SyncResult => answer.body as SyncResult;
