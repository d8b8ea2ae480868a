import type { IncomingMessage } from 'node:http';
import { clientAddressHeader } from '@commonplace/identity';

/** Where a request comes from. */
export type Client = { readonly address: string; readonly userAgent: string | null };

/** Addresses and browsers' names are kept, so they are kept short. */
const addressLengthMax = 64;
const userAgentLengthMax = 256;

/** Where a request comes from: as the gateway says, or the socket where there is no gateway. */
export const clientOf = (req: IncomingMessage): Client => {
  const named = req.headers[clientAddressHeader];
  const address = (typeof named === 'string' ? named : req.socket.remoteAddress) ?? 'unknown';
  return {
    address: address.slice(0, addressLengthMax),
    userAgent: req.headers['user-agent']?.slice(0, userAgentLengthMax) ?? null,
  };
};
