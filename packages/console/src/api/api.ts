import { createClient, type ApiClient } from '@commonplace/client';
import { withReauthentication } from './reauthentication.ts';

const clients = new Map<string, ApiClient>();

/** The public API as the signed-in operator. The browser sends the session cookie. */
export const api: ApiClient = withReauthentication(createClient({ baseUrl: location.origin }));

/** The API client of one company, for routes without a company in their path. */
export const apiOf = (companyId: string): ApiClient => {
  const client =
    clients.get(companyId) ??
    withReauthentication(createClient({ baseUrl: location.origin, companyId }));
  clients.set(companyId, client);
  return client;
};
