import type { IncomingMessage } from 'node:http';
import { clientAddressHeader } from '@commonplace/identity';

/** The origin of a request. */
export type Client = { readonly address: string; readonly userAgent: string | null };

/** These values are stored, so their length is limited. */
const addressLengthMax = 64;
const userAgentLengthMax = 256;

/** The origin of a request as the gateway reports it, or of the socket without a gateway. */
export const clientOf = (req: IncomingMessage): Client => {
  const named = req.headers[clientAddressHeader];
  const address = (typeof named === 'string' ? named : req.socket.remoteAddress) ?? 'unknown';
  return {
    address: address.slice(0, addressLengthMax),
    userAgent: req.headers['user-agent']?.slice(0, userAgentLengthMax) ?? null,
  };
};
