import { createClient, type ApiClient } from '@commonplace/client';
import { readOperatorAccess } from './config.ts';

/**
 * Returns a client of the API as an operator: with the session of the environment, or without a credential, as the local
 * operator of a server in local trusted mode. Throws a ConfigError.
 */
export const openOperatorApi = (companyId: string | undefined): ApiClient => {
  const { baseUrl, session } = readOperatorAccess();
  const withSession = async (request: Request): Promise<Response> => {
    const headers = new Headers(request.headers);
    const value = session();
    if (value !== null) {
      headers.set('cookie', `${cookieName(baseUrl)}=${value}`);
      headers.set('origin', new URL(baseUrl).origin);
    }
    return fetch(new Request(request, { headers }));
  };
  return createClient({ baseUrl, fetch: withSession, companyId });
};

const cookieName = (baseUrl: string): string =>
  baseUrl.startsWith('https:') ? '__Host-commonplace.sid' : 'commonplace.sid';
