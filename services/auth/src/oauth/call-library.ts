import { IncomingMessage, ServerResponse } from 'node:http';
import { clientAddressHeader, requestIdHeader } from '@commonplace/identity';
import type { Provider } from 'oidc-provider';

/** A request as the library shall see it, whatever the client sent besides. */
export type LibraryRequest = {
  readonly method: 'GET' | 'POST';
  /** Below the issuer, with its query. */
  readonly path: string;
  readonly cookie?: string | undefined;
  readonly accept?: string | undefined;
  readonly body?: { readonly type: string; readonly text: string } | undefined;
  readonly requestId: string;
  /** The address of the client. */
  readonly address?: string | undefined;
};

/** The response of the library. */
export type LibraryResponse = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  readonly body: string;
};

type Called = {
  readonly provider: Provider;
  readonly issuer: string;
  /** Failures that are not the client's, by the request that had them. */
  readonly failures: WeakMap<object, Error>;
  /** The cookies that may be set. */
  readonly cookieNames: readonly string[];
};

/**
 * Calls the library with a request of our own making. It builds its addresses from the host and the scheme of a request:
 * these are the instance's, never the client's. Failures that are not the client's are thrown, so that the pipeline
 * responds as it does everywhere.
 */
export const callLibrary = async (
  { provider, issuer, failures, cookieNames }: Called,
  request: LibraryRequest,
): Promise<LibraryResponse> => {
  const req = requestOf(issuer, request);
  const { res, response } = collectResponse(req);
  await provider.callback()(req, res);
  const { status, headers, body } = await response;
  const failure = failures.get(req);
  if (failure) {
    throw failure;
  }
  return { status, body, headers: withOwnCookies(headers, cookieNames) };
};

/** Collects the failures of a provider that are not the client's, by the request that had them. */
export const collectFailures = (provider: Provider): WeakMap<object, Error> => {
  const failures = new WeakMap<object, Error>();
  provider.on('server_error', (ctx, error) => void failures.set(ctx.req, error));
  return failures;
};

const requestOf = (issuer: string, request: LibraryRequest): IncomingMessage => {
  const { host, protocol, pathname } = new URL(issuer);
  // The library sets `Secure` on cookies of encrypted connections only, and reads that from the socket.
  const socket = { encrypted: protocol === 'https:', remoteAddress: '', destroy: () => undefined };
  const req = new IncomingMessage(socket as never);
  req.complete = true;
  const { body, cookie, accept } = request;
  const bytes = body ? Buffer.from(body.text) : null;
  req.method = request.method;
  req.url = request.path;
  Object.assign(req, { originalUrl: pathname + request.path });
  req.headers = {
    host,
    'x-forwarded-proto': protocol.slice(0, -1),
    [requestIdHeader]: request.requestId,
    [clientAddressHeader]: request.address ?? '',
    ...(accept === undefined ? {} : { accept }),
    ...(cookie === undefined ? {} : { cookie }),
    ...(body && bytes ? { 'content-type': body.type, 'content-length': String(bytes.length) } : {}),
  };
  if (bytes) {
    req.push(bytes);
  }
  req.push(null);
  return req;
};

type Collected = LibraryResponse;

/** A response that goes nowhere. */
const collectResponse = (req: IncomingMessage) => {
  const res = new ServerResponse(req);
  const chunks: Buffer[] = [];
  const response = new Promise<Collected>((resolve) => {
    const end = (chunk?: unknown): ServerResponse => {
      if (typeof chunk === 'string' || Buffer.isBuffer(chunk)) {
        chunks.push(Buffer.from(chunk as string));
      }
      const headers = res.getHeaders() as Collected['headers'];
      resolve({ status: res.statusCode, headers, body: Buffer.concat(chunks).toString('utf8') });
      res.emit('finish');
      return res;
    };
    res.end = end as typeof res.end;
    res.write = ((chunk: string | Buffer) => {
      chunks.push(Buffer.from(chunk as string));
      return true;
    }) as typeof res.write;
  });
  return { res, response };
};

const withOwnCookies = (
  headers: LibraryResponse['headers'],
  cookieNames: readonly string[],
): LibraryResponse['headers'] => {
  const { 'set-cookie': set, ...others } = headers;
  const cookies = [set ?? []].flat().filter((cookie) => {
    const name = cookie.slice(0, cookie.indexOf('='));
    return cookieNames.includes(name);
  });
  return cookies.length === 0 ? others : { ...others, 'set-cookie': cookies };
};
