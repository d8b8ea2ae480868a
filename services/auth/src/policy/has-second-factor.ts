type SignedInWith = {
  readonly signInMethod: 'password' | 'oidc' | 'passkey';
  /** The methods that an OpenID Connect provider named. */
  readonly amr: readonly string[];
  /** Whether signing in with the password needs a code. */
  readonly hasTotp: boolean;
  /** Whether its second factor was removed and nothing has confirmed it since. */
  readonly hasLostFactor: boolean;
};

/**
 * Whether a session counts as one of two factors. A passkey is both. A provider decides for itself, unless
 * `requiredAmr` names methods of which it must have used one. With a password a code was given, if the account has an
 * app; not in a session that began with a passkey or identity which is gone.
 */
export const hasSecondFactor = (
  { signInMethod: method, amr, hasTotp, hasLostFactor }: SignedInWith,
  requiredAmr: readonly string[],
): boolean => {
  switch (method) {
    case 'passkey':
      return true;
    case 'oidc':
      return requiredAmr.length === 0 || amr.some((one) => requiredAmr.includes(one));
    case 'password':
      return hasTotp && !hasLostFactor;
  }
};
