import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { decodeJwt, exportJWK, generateKeyPair, SignJWT, type JWK, type JWTPayload } from 'jose';
import { Provider } from 'oidc-provider';

/** A person at the provider. */
export type Person = {
  readonly sub: string;
  readonly email?: string;
  readonly email_verified?: boolean;
  readonly name?: string;
};

/** What the test makes of the provider. */
type ProviderState = {
  /** Who signs in next. */
  person: Person;
  /** Replaces the ID token of the next responses; gets its claims and a function that signs others. */
  tamper: ((claims: JWTPayload, sign: SignClaims) => Promise<string> | string) | null;
  /** Handles requests instead of the provider; returns whether it did. */
  intercept: ((req: IncomingMessage, res: ServerResponse) => boolean) | null;
};

type SignClaims = (claims: JWTPayload, header?: { readonly typ?: string }) => Promise<string>;

export type IdentityProvider = {
  readonly issuer: string;
  readonly state: ProviderState;
  /** Allows an instance at this URL to use the provider. */
  readonly admit: (baseUrl: string) => void;
  readonly sign: SignClaims;
  /** Makes a new key, which signs from now on; the old one is no longer published. */
  readonly rotateKey: () => Promise<void>;
  readonly stop: () => Promise<void>;
};

export const clientId = 'commonplace';
export const clientSecret = 'a-secret-of-the-identity-provider-tests';

type SigningKey = { readonly jwk: JWK; readonly sign: SignClaims };

/**
 * Starts the certified oidc-provider on loopback, with a hook before it that can misbehave. People
 * sign in without a form.
 */
export const startIdentityProvider = async (): Promise<IdentityProvider> => {
  const state: ProviderState = { person: { sub: 'nobody' }, tamper: null, intercept: null };
  const people = new Map<string, Person>();
  let key = await newKey();
  let baseUrl = 'http://127.0.0.1:1';
  let handle: ReturnType<Provider['callback']> | null = null;
  let provider: Provider | null = null;

  const server = createServer((req, res) => {
    respond(req, res).catch((error: unknown) => {
      res.statusCode = 500;
      res.end(String(error));
    });
  });
  const issuer = await listen(server);

  const build = (): void => {
    provider = providerOf({ issuer, baseUrl, jwk: key.jwk, people });
    handle = provider.callback();
  };
  const respond = async (req: IncomingMessage, res: ServerResponse): Promise<void> => {
    if (state.intercept?.(req, res)) {
      return;
    }
    if (!provider || !handle) {
      throw new Error('No instance is admitted');
    }
    if (req.url?.startsWith('/interaction/')) {
      people.set(state.person.sub, state.person);
      await logIn(provider, state.person, { req, res });
      return;
    }
    if (req.url === '/token' && state.tamper) {
      tamperWith(res, state.tamper, key.sign);
    }
    await handle(req, res);
  };

  return {
    issuer,
    state,
    admit: (url) => {
      baseUrl = url;
      build();
    },
    sign: (claims, header) => key.sign(claims, header),
    rotateKey: async () => {
      key = await newKey();
      build();
    },
    stop: () => close(server),
  };
};

const listen = async (server: Server): Promise<string> => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
};

const close = async (server: Server): Promise<void> => {
  server.closeAllConnections();
  await new Promise<void>((resolve) => server.close(() => resolve()));
};

const logIn = (
  provider: Provider,
  { sub }: Person,
  { req, res }: { readonly req: IncomingMessage; readonly res: ServerResponse },
): Promise<void> => {
  const login = { accountId: sub, ts: Math.floor(Date.now() / 1000) };
  return provider.interactionFinished(req, res, { login }, { mergeWithLastSubmission: false });
};

const newKey = async (): Promise<SigningKey> => {
  const { privateKey } = await generateKeyPair('RS256', { extractable: true });
  const kid = randomUUID();
  return {
    jwk: { ...(await exportJWK(privateKey)), kid, alg: 'RS256', use: 'sig' },
    sign: (claims, header = {}) =>
      new SignJWT(claims).setProtectedHeader({ alg: 'RS256', kid, ...header }).sign(privateKey),
  };
};

type Made = {
  readonly issuer: string;
  readonly baseUrl: string;
  readonly jwk: JWK;
  readonly people: ReadonlyMap<string, Person>;
};

const fetchOnLoopback = (url: string | URL | Request, options: RequestInit = {}) => {
  const { signal = null, method = 'GET', headers = {}, body = null } = options;
  return fetch(url, { signal, method, headers, body });
};

const providerOf = ({ issuer, baseUrl, jwk, people }: Made): Provider =>
  new Provider(issuer, {
    clients: [
      {
        client_id: clientId,
        client_secret: clientSecret,
        redirect_uris: [`${baseUrl}/api/auth/oidc/callback`],
        post_logout_redirect_uris: [`${baseUrl}/login`],
        backchannel_logout_uri: `${baseUrl}/api/auth/oidc/backchannel-logout`,
        backchannel_logout_session_required: true,
      },
    ],
    jwks: { keys: [jwk as never] },
    cookies: { keys: ['a-key-of-the-identity-provider-tests'] },
    conformIdTokenClaims: false,
    claims: {
      openid: ['sub'],
      email: ['email', 'email_verified'],
      profile: ['name'],
      sid: null,
      auth_time: null,
      iss: null,
    },
    features: {
      devInteractions: { enabled: false },
      backchannelLogout: { enabled: true },
      rpInitiatedLogout: { enabled: true },
    },
    // Its own would refuse an instance on loopback.
    fetch: fetchOnLoopback,
    interactions: { url: (_ctx, { uid }) => `/interaction/${uid}` },
    findAccount: (_ctx, id) => ({
      accountId: id,
      claims: () => ({ ...(people.get(id) ?? { sub: id }) }),
    }),
    // Consent is given: the tests are about signing in.
    loadExistingGrant: async (ctx) => {
      const { provider, client, session } = ctx.oidc;
      const grantId = client && session?.grantIdFor(client.clientId);
      const existing = grantId ? await provider.Grant.find(grantId) : undefined;
      if (existing) {
        return existing;
      }
      const grant = new provider.Grant({
        ...(client ? { clientId: client.clientId } : {}),
        ...(session?.accountId ? { accountId: session.accountId } : {}),
      });
      grant.addOIDCScope('openid email profile');
      await grant.save();
      return grant;
    },
  });

/** Replaces the ID token in a response of the token endpoint. */
const tamperWith = (
  res: ServerResponse,
  tamper: NonNullable<ProviderState['tamper']>,
  sign: SignClaims,
): void => {
  const end = res.end.bind(res);
  res.end = ((body: unknown) => {
    const sent = JSON.parse(String(body)) as { id_token?: string };
    if (sent.id_token === undefined) {
      return end(String(body));
    }
    void Promise.resolve(tamper(decodeJwt(sent.id_token), sign)).then((idToken) => {
      const text = JSON.stringify({ ...sent, id_token: idToken });
      res.setHeader('Content-Length', Buffer.byteLength(text));
      end(text);
    });
    return res;
  }) as typeof res.end;
};
