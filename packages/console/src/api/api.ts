import { createClient, type ApiClient } from '@commonplace/client';
import { withSignIn } from './ended-session.ts';
import { withReauthentication } from './reauthentication.ts';
import { takeEarly } from './take-early.ts';

const clients = new Map<string, ApiClient>();

/** A client whose changes wait while a dialog is open. */
const create = (options: Parameters<typeof createClient>[0]): ApiClient =>
  withReauthentication(withSignIn(createClient({ ...options, fetch: takeEarly })));

/** The public API as the signed-in operator. The browser sends the session cookie. */
export const api: ApiClient = create({ baseUrl: location.origin });

/** The API client of one company, for routes without a company in their path. */
export const apiOf = (companyId: string): ApiClient => {
  const client = clients.get(companyId) ?? create({ baseUrl: location.origin, companyId });
  clients.set(companyId, client);
  return client;
};
