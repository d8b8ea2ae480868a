import type { RouteContract } from './route-contract.ts';

const kibibyte = 1024;

/** Public routes take a few short strings and are open to anybody. */
const publicBytesMax = 16 * kibibyte;
/** Ample for names, roles and dates; routes of notes set their own limits. */
const usualBytesMax = 64 * kibibyte;

/** The body limit of a route in bytes, enforced by the gateway and the service. */
export const bodyBytesMaxOf = ({ access, bodyBytesMax }: RouteContract): number =>
  bodyBytesMax ?? (access.kind === 'public' ? publicBytesMax : usualBytesMax);
