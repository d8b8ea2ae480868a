import { hash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { AppError } from '@commonplace/contracts';
import type { VerificationCache } from '../verification/cache.ts';
import type { Authentication, Bearer, PresentedCredentials } from './authenticator.ts';
import { describeForm, unknownBearer } from './describe-form.ts';

type CachedBearer = { readonly header: string; readonly bearer: Bearer };

const lastBearer = Symbol('last bearer');

/**
 * Returns the bearer of a request, from its header only; null without the header. The last bearer is cached
 * on the connection, because most connections send the same one again.
 */
export const bearerOf = ({ headers, socket }: IncomingMessage): Bearer | null => {
  const header = headers.authorization;
  if (header === undefined) {
    return null;
  }
  const connection: Socket & { [lastBearer]?: CachedBearer } = socket;
  const last = connection[lastBearer];
  const cached = last?.header === header ? last : { header, bearer: parseBearer(header) };
  connection[lastBearer] = cached;
  return cached.bearer;
};

/** RFC 6750: the scheme in any case, one or more spaces, the token. An empty text means another form. */
const parseBearer = (header: string): Bearer => {
  const text = /^Bearer +(\S+)$/i.exec(header)?.[1] ?? '';
  return { text, digest: hash('sha256', text, 'base64url') };
};

export type BearerVerifierOptions = {
  readonly cache: VerificationCache<Authentication>;
  /** Checks a bearer without a lookup. Forgeries fail here, before they count against any limit. */
  readonly isWellFormed: (text: string) => boolean;
  /** Returns the owner of a bearer; null when it is unknown. */
  readonly lookup: (text: string) => Promise<Authentication | null>;
};

/** Creates the function that verifies a bearer, from the cache or by a lookup; 401 for an invalid one. */
export const createBearerVerifier =
  ({ cache, isWellFormed, lookup }: BearerVerifierOptions) =>
  async (
    { text, digest: key }: Bearer,
    { address, maxAgeMs }: PresentedCredentials,
  ): Promise<Authentication> => {
    if (!cache.isKnown(key) && !isWellFormed(text)) {
      throw new AppError('invalid_token', describeForm(text));
    }
    const found = await cache.find({ key, address, maxAgeMs, send: () => lookup(text) });
    if (!found) {
      throw new AppError('invalid_token', unknownBearer);
    }
    return found;
  };
