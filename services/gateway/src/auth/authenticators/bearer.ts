import { hash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';

/** A bearer as it was presented. */
export type Bearer = {
  /** Empty: the header holds no bearer, which is never good. */
  readonly text: string;
  /** Names it in caches. It has no pepper, because it never leaves this process, and costs a third so. */
  readonly digest: string;
};

type CachedBearer = { readonly header: string; readonly bearer: Bearer };

const lastBearer = Symbol('the bearer shown last');

/**
 * The bearer of a request, taken from its header only; null when there is no such header. A connection mostly
 * shows the same one again, so the last is kept with it, as the parser keeps its last request: good or bad, it is
 * no longer than headers may be.
 */
export const bearerOf = ({ headers, socket }: IncomingMessage): Bearer | null => {
  const header = headers.authorization;
  if (header === undefined) {
    return null;
  }
  const connection: Socket & { [lastBearer]?: CachedBearer } = socket;
  const known = connection[lastBearer];
  const cached = known?.header === header ? known : { header, bearer: parseBearer(header) };
  connection[lastBearer] = cached;
  return cached.bearer;
};

/** RFC 6750: the scheme in any case, one space or more, the token. */
const parseBearer = (header: string): Bearer => {
  const text = /^Bearer +(\S+)$/i.exec(header)?.[1] ?? '';
  return { text, digest: hash('sha256', text, 'base64url') };
};
