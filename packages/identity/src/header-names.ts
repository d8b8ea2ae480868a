/** The trusted company header: set by the gateway, compared with the signed identity by every service. */
export const companyHeader = 'x-company-id';

/** The signed identity; see `mint-identity.ts`. */
export const identityHeader = 'x-gateway-identity';

/** One id for a request on its whole way; also in every problem and log line. */
export const requestIdHeader = 'x-request-id';

/** The address of the client as the gateway sees it, for throttles and sign-in history. */
export const clientAddressHeader = 'x-client-address';
