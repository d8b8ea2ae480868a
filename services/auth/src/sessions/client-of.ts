import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { clientAddressHeader, readDeviceCookie } from '@commonplace/identity';

/** The origin of a request. */
export type Client = {
  readonly address: string;
  readonly userAgent: string | null;
  /** The digest of the cookie of a browser that signed in before; null without one. It may be anybody's. */
  readonly device: string | null;
};

/** These values are stored, so their length is limited. */
const addressLengthMax = 64;
const userAgentLengthMax = 256;

/** The origin of a request as the gateway reports it, or of the socket without a gateway. */
export const clientOf = (req: IncomingMessage): Client => {
  const named = req.headers[clientAddressHeader];
  const address = (typeof named === 'string' ? named : req.socket.remoteAddress) ?? 'unknown';
  // The gateway forwards only the one of the two names that fits how browsers reach it.
  const device = [true, false]
    .map((isHttps) => readDeviceCookie(req.headers.cookie, isHttps))
    .find((cookie) => cookie !== null);
  return {
    address: address.slice(0, addressLengthMax),
    userAgent: req.headers['user-agent']?.slice(0, userAgentLengthMax) ?? null,
    device: device === undefined ? null : deviceDigest(device),
  };
};

/** The form of a device cookie in the database. */
export const deviceDigest = (cookie: string): string =>
  createHash('sha256').update(cookie).digest('hex');
