/**
 * The codes of system errors that say that a peer was not reached, or closed the connection: of a database for a service,
 * of a service for the gateway. Without ETIMEDOUT, which is a late response at the gateway.
 */
export const unreachableCodes: ReadonlySet<string> = new Set([
  'EAI_AGAIN',
  'ECONNABORTED',
  'ECONNREFUSED',
  'ECONNRESET',
  'EHOSTDOWN',
  'EHOSTUNREACH',
  'ENETDOWN',
  'ENETUNREACH',
  'ENOTFOUND',
  'EPIPE',
]);
