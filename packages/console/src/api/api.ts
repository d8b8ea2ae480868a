import { createClient, type ApiClient } from '@commonplace/client';

const clients = new Map<string, ApiClient>();

/** The public API as the signed-in operator. The session cookie is sent by the browser itself. */
export const api: ApiClient = createClient({ baseUrl: location.origin });

/** The API in one company: routes without a company in their path need it named. */
export const apiOf = (companyId: string): ApiClient => {
  const client = clients.get(companyId) ?? createClient({ baseUrl: location.origin, companyId });
  clients.set(companyId, client);
  return client;
};
