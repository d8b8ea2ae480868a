import { bearer, type Api } from '../call-api.ts';
import { setUpApp } from '../factors/authenticator-app.ts';
import { addPasskey, signInWithPasskey } from '../factors/device.ts';
import { signIn } from '../sign-in.ts';
import type { TestSystem } from '../test-system.ts';
import { inviteMember, makeCompany, memberPassword } from '../world.ts';
import { createBrowser } from './browser-of-person.ts';
import type { IdentityProvider, Person } from './identity-provider.ts';
import { linkPerson } from './link-person.ts';

/** An account that its maker registered with another person's email, with every way in that the maker added. */
export type PlantedAccount = {
  readonly operatorId: string;
  /** Attempts to use what was planted; each resolves with whether it still gives the account. */
  readonly uses: Readonly<Record<string, () => Promise<boolean>>>;
};

type Planting = {
  readonly system: TestSystem;
  readonly provider: IdentityProvider;
  readonly board: Api;
  /** The email of the person, and the identity of who plants. */
  readonly email: string;
  readonly eve: Person;
};

/** Accepts an invite that was sent to another person, and adds a passkey, an identity, an app, a run and an invite. */
export const plantAccount = async (planting: Planting): Promise<PlantedAccount> => {
  const { system, provider, board, email, eve } = planting;
  const { baseUrl } = system;
  const company = await makeCompany(board, 'Planted', { baseUrl, withInvite: false });
  const headers = await inviteMember(board, company, { baseUrl, email, role: 'owner' });
  const api = system.as(headers);
  const { operator } = (await api('GET', '/api/auth/session')).body as { operator: { id: string } };
  const started = await api('POST', `/api/agents/${company.agentId}/runs`, { body: {} });
  const { token } = started.body as { token: string };
  const invited = await api('POST', `/api/companies/${company.companyId}/invites`, {
    body: { email: String(eve.email), role: 'operator' },
  });
  provider.state.person = eve;
  await linkPerson({ baseUrl, api });
  const passkey = await addPasskey(api, baseUrl);
  await setUpApp(api);
  const isOwn = async (response: ReturnType<Api>): Promise<boolean> => {
    const { status, body } = await response;
    return status === 200 && JSON.stringify(body).includes(email);
  };
  const byCookie = (cookie: string) => isOwn(system.as({ cookie })('GET', '/api/auth/session'));
  const uses: PlantedAccount['uses'] = {
    session: () => byCookie(headers['cookie'] ?? ''),
    password: () => isDone(signIn({ baseUrl, email, password: memberPassword })),
    passkey: () => isDone(signInWithPasskey(baseUrl, passkey)),
    identity: async () => {
      provider.state.person = eve;
      const browser = createBrowser();
      await browser.signIn(baseUrl);
      return byCookie(browser.cookies(baseUrl));
    },
    run: async () => (await system.as(bearer(token))('GET', '/api/agents/me')).status === 200,
    invite: async () => {
      const accepted = await system.as({ origin: baseUrl })('POST', '/api/auth/invites/accept', {
        body: {
          token: (invited.body as { token: string }).token,
          name: 'Eve',
          password: memberPassword,
        },
      });
      return accepted.status === 200;
    },
  };
  return { operatorId: operator.id, uses };
};

const isDone = (attempt: Promise<unknown>): Promise<boolean> =>
  attempt.then(
    () => true,
    () => false,
  );
