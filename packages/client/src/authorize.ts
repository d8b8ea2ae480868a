/** A run token or an API key, or a function that returns the current one. */
export type Credential = string | (() => string | Promise<string>);

/** The caller's credential, and the company it works in. */
export type CallerIdentity = {
  readonly credential?: Credential | undefined;
  readonly companyId?: string | undefined;
};

/**
 * Returns the headers of a request with the caller's credential and company. A credential function is
 * called before every attempt, so that a renewed token is used at once.
 */
export const authorize = async (
  headers: Headers,
  { credential, companyId }: CallerIdentity,
): Promise<Headers> => {
  const authorized = new Headers(headers);
  if (credential !== undefined) {
    const value = typeof credential === 'string' ? credential : await credential();
    authorized.set('authorization', `Bearer ${value}`);
  }
  if (companyId !== undefined && !authorized.has('x-company-id')) {
    authorized.set('x-company-id', companyId);
  }
  return authorized;
};
