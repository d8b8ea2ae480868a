/** The trusted company header: set by the gateway, compared with the signed identity by every service. */
export const companyHeader = 'x-company-id';

/** The signed identity; see `mint-identity.ts`. */
export const identityHeader = 'x-gateway-identity';

/** The id of a request across all processes; also in every problem and log line. */
export const requestIdHeader = 'x-request-id';

/** The address of the client as the gateway sees it, for limits and sign-in history. */
export const clientAddressHeader = 'x-client-address';
