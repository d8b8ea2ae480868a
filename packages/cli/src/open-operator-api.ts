import { createClient, type ApiClient } from '@commonplace/client';
import { agentVariables, readOperatorAccess } from './config.ts';
import { printNotice } from './print.ts';

/**
 * Returns a client of the API as an operator: with the session of the environment, or without a credential, as the local
 * operator of a server in local trusted mode. Where an agent's credential is set too, says that it is not used. Throws a
 * ConfigError.
 */
export const openOperatorApi = (companyId: string | undefined): ApiClient => {
  const { baseUrl, session } = readOperatorAccess();
  const ignored = agentVariables().join(', ');
  if (ignored !== '') {
    const who = session() === null ? 'the local operator' : 'the operator of COMMONPLACE_SESSION';
    printNotice(`as ${who}: ${ignored} is not used`);
  }
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
