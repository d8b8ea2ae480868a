import { createHash, randomBytes } from 'node:crypto';

export type RequestedAuthorization = {
  readonly clientId: string;
  readonly redirectUri: string;
  readonly resource: string;
  /** Replaces parameters; null removes one. */
  readonly params?: Readonly<Record<string, string | null>>;
};

/** The query of an authorization by OAuth, as a host sends it to a browser, and the verifier of its challenge. */
export const authorizationQuery = ({
  clientId,
  redirectUri,
  resource,
  params = {},
}: RequestedAuthorization) => {
  const verifier = randomBytes(32).toString('base64url');
  const query = new URLSearchParams({
    client_id: clientId,
    response_type: 'code',
    redirect_uri: redirectUri,
    state: 'state-of-the-app',
    scope: 'notes:read notes:write',
    resource,
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
  });
  for (const [name, value] of Object.entries(params)) {
    if (value === null) {
      query.delete(name);
    } else {
      query.set(name, value);
    }
  }
  return { query: query.toString(), verifier };
};
