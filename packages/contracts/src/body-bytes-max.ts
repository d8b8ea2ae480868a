import type { RouteContract } from './route-contract.ts';

const kibibyte = 1024;

/** Public routes take a few short strings, and anybody may send to them. */
const publicBytesMax = 16 * kibibyte;
/** Names, roles and dates fit many times over; notes say for themselves that they are larger. */
const usualBytesMax = 64 * kibibyte;

/** Bytes of the largest body a route takes. The gateway collects no more, and the service reads no more. */
export const bodyBytesMaxOf = ({ access, bodyBytesMax }: RouteContract): number =>
  bodyBytesMax ?? (access.kind === 'public' ? publicBytesMax : usualBytesMax);
