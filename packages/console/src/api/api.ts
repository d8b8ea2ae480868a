import { createClient, type ApiClient } from '@commonplace/client';
import { changesOfOperator } from './changes-of-operator.ts';
import { withSignIn } from './ended-session.ts';
import { withReauthentication } from './reauthentication.ts';
import { retryRenewedSession } from './retry-renewed-session.ts';
import { takeEarly } from './take-early.ts';

const clients = new Map<string, ApiClient>();
const clientsThatSave = new Map<string, ApiClient>();

type Options = Parameters<typeof createClient>[0];

/** All clients of this page know alike whether it has a session. */
const fetchOfPage = changesOfOperator.watch(retryRenewedSession(takeEarly));

const createPlain = (options: Options): ApiClient =>
  createClient({ ...options, fetch: fetchOfPage });

/** A client whose changes wait while a dialog is open. */
const create = (options: Options): ApiClient =>
  withReauthentication(withSignIn(createPlain(options)));

/** Paths that name their company, or are of none. An operator of many companies has to name it for all others. */
type PathsWithCompany =
  | `/api/companies${string}`
  | `/api/auth/${string}`
  | `/api/instance${string}`
  | `/connect/${string}`;

/** The public API as the signed-in operator. The browser sends the session cookie. */
export const api: ApiClient<PathsWithCompany> = create({ baseUrl: location.origin });

/** The same without dialogs: who signs out is not to sign in for that. */
export const apiWithoutDialogs: ApiClient = createPlain({ baseUrl: location.origin });

/** The API client of one company, for paths that do not name it. */
export const apiOf = (companyId: string): ApiClient => clientIn(clients, { companyId });

/** Longer pauses that the server requests are the page's to explain. */
const silenceMaxMs = 2_000;

/** The same for what somebody wrote: where the server requests a pause, this fails at once, and the page says what it waits for. */
export const savingApiOf = (companyId: string): ApiClient =>
  clientIn(clientsThatSave, { companyId, retry: { maxDelayMs: silenceMaxMs } });

type OfCompany = Omit<Options, 'baseUrl'> & { readonly companyId: string };

const clientIn = (made: Map<string, ApiClient>, options: OfCompany): ApiClient => {
  const client = made.get(options.companyId) ?? create({ baseUrl: location.origin, ...options });
  made.set(options.companyId, client);
  return client;
};
