import { identityMinter, identityVerifier, signingKeys, type Caller } from '@commonplace/identity';
import type { ProcessName } from '@commonplace/contracts';

export const testIdentitySecrets: readonly [string, ...string[]] = [
  'test-only-internal-identity-0000001',
];

const keys = signingKeys(testIdentitySecrets);

/** Real signed identities under a key that only tests know. */
export const testIdentity = {
  keys,
  verifyIdentity: identityVerifier(keys),
  mintFrom: (issuer: ProcessName) => identityMinter(keys, issuer),
};

const mintFromGateway = testIdentity.mintFrom('gateway');

/** The trusted headers that the gateway, or a service calling on its own, would send. */
export const identityHeaders = (
  caller: Caller,
  signedAtMs: number = Date.now(),
): Record<string, string> => {
  const mint = caller.kind === 'service' ? testIdentity.mintFrom(caller.service) : mintFromGateway;
  const company =
    caller.kind === 'agent'
      ? caller.companyId
      : caller.kind === 'operator'
        ? caller.selectedCompanyId
        : null;
  return {
    'x-gateway-identity': mint(caller, signedAtMs),
    ...(company ? { 'x-company-id': company } : {}),
  };
};
