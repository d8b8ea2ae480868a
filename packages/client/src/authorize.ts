/** A run JWT or an API key, or a function that knows the current one. */
export type Credential = string | (() => string | Promise<string>);

/** Who the caller is, and the company it means. */
export type Identification = {
  readonly credential?: Credential | undefined;
  readonly companyId?: string | undefined;
};

/**
 * The headers of a request with the caller's credential and company. A credential function is asked
 * before every attempt, so that a renewed token is used as soon as there is one.
 */
export const authorize = async (
  headers: Headers,
  { credential, companyId }: Identification,
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
