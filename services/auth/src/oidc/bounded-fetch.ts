import { readBounded } from '@commonplace/http';

/** The provider did not respond, not in time, not within the bounds, or with a failure of its own. */
export class ProviderUnavailableError extends Error {
  constructor(reason: string, options?: ErrorOptions) {
    super(`The identity provider is unavailable: ${reason}`, options);
    this.name = 'ProviderUnavailableError';
  }
}

/** Ample for key sets and tokens. */
const responseBytesMax = 512 * 1024;

/** For a whole exchange, the body included. */
const timeoutMs = 5_000;

type Request = {
  readonly method?: string;
  readonly headers?: RequestInit['headers'];
  readonly body?: unknown;
};

/**
 * Sends a request to the provider. It ends after 5 s or 512 KiB, whatever the provider does, and
 * follows no redirect.
 */
export const boundedFetch = async (url: string, request: Request): Promise<Response> => {
  const { method = 'GET', headers = {}, body = null } = request;
  try {
    const response = await fetch(url, {
      method,
      headers,
      body: (body ?? null) as NonNullable<RequestInit['body']> | null,
      redirect: 'manual',
      signal: AbortSignal.timeout(timeoutMs),
    });
    if (response.status >= 500 || response.status === 429) {
      await response.body?.cancel();
      throw new ProviderUnavailableError(`status ${response.status}`);
    }
    return new Response(await readBody(response), {
      status: response.status,
      headers: response.headers,
    });
  } catch (error) {
    throw error instanceof ProviderUnavailableError
      ? error
      : new ProviderUnavailableError('no complete response', { cause: error });
  }
};

/** Reads a body; null without one, as statuses such as 204 require. */
const readBody = async ({ body }: Response): Promise<Buffer<ArrayBuffer> | null> => {
  if (!body) {
    return null;
  }
  const tooLarge = () =>
    new ProviderUnavailableError(`a response of more than ${responseBytesMax} bytes`);
  return readBounded(body, responseBytesMax, tooLarge);
};
