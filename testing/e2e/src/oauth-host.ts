import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  auth,
  Client,
  StreamableHTTPClientTransport,
  type OAuthClientProvider,
  type StoredOAuthClientInformation,
  type StoredOAuthTokens,
} from '@modelcontextprotocol/client';

/** A host on this machine that connects with the official client, as programs do that listen on loopback. */
export type OauthHost = {
  /** Discovers, registers and begins: returns the address for the browser. */
  readonly begin: () => Promise<URL>;
  /** Waits for the browser, and exchanges the code. */
  readonly finish: () => Promise<void>;
  readonly provider: OAuthClientProvider;
  readonly tokens: () => StoredOAuthTokens | undefined;
  /** Leaves the refresh token only, as when the access token has expired. */
  readonly forgetAccessToken: () => void;
  /** The `Referer` with which the browser came back. */
  readonly referer: () => Promise<string | undefined>;
  /** What nobody else may see: code, verifier, tokens, and the state. */
  readonly secrets: () => Promise<readonly string[]>;
  /** A connected client of the server. */
  readonly client: () => Promise<Client>;
  readonly stop: () => Promise<void>;
};

/** What a host uses of the official SDK, whose version 1 has it under the same names. */
export type OfficialSdk = {
  readonly auth: typeof auth;
  readonly Client: typeof Client;
  readonly StreamableHTTPClientTransport: typeof StreamableHTTPClientTransport;
};

/** Starts a host for the server at an address such as `http://127.0.0.1:8080/connect/mcp`. */
export const startOauthHost = async (
  serverUrl: string,
  name = 'Host',
  sdk: OfficialSdk = { auth, Client, StreamableHTTPClientTransport },
): Promise<OauthHost> => {
  const callback = await startCallback();
  const provider = createProvider(callback.url, name);
  const clients: Client[] = [];
  return {
    provider: provider.provider,
    tokens: () => provider.state.tokens,
    forgetAccessToken: () => forgetAccessToken(provider.state),
    referer: async () => (await callback.arrival).referer,
    secrets: async () => secretsOf(provider.state, (await callback.arrival).query),
    begin: async () => {
      await sdk.auth(provider.provider, { serverUrl });
      if (!provider.state.address) {
        throw new Error('The host was not sent to a browser');
      }
      return provider.state.address;
    },
    finish: async () => {
      const { query } = await callback.arrival;
      const code = query.get('code');
      if (code === null) {
        throw new Error(`The browser came back with ${query.toString()}`);
      }
      const iss = query.get('iss');
      await sdk.auth(provider.provider, {
        serverUrl,
        authorizationCode: code,
        ...(iss === null ? {} : { iss }),
      });
    },
    client: async () => {
      const client = new sdk.Client({ name, version: '1.0.0' });
      clients.push(client);
      const authProvider = provider.provider;
      await client.connect(
        new sdk.StreamableHTTPClientTransport(new URL(serverUrl), { authProvider }),
      );
      return client;
    },
    stop: async () => {
      await Promise.all(clients.map((client) => client.close()));
      await callback.stop();
    },
  };
};

const stateOfHost = 'state-of-the-host';

type ProviderState = {
  address?: URL;
  client?: StoredOAuthClientInformation;
  tokens?: StoredOAuthTokens;
  verifier?: string;
};

const secretsOf = ({ tokens, verifier }: ProviderState, query: URLSearchParams): string[] =>
  [tokens?.access_token, tokens?.refresh_token, query.get('code'), verifier, stateOfHost].filter(
    (secret) => typeof secret === 'string',
  );

const forgetAccessToken = (state: ProviderState): void => {
  if (state.tokens) {
    state.tokens = { ...state.tokens, access_token: 'expired' };
  }
};

const createProvider = (redirectUrl: string, name: string) => {
  const state: ProviderState = {};
  const provider: OAuthClientProvider = {
    redirectUrl,
    clientMetadata: {
      client_name: name,
      redirect_uris: [redirectUrl],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
    },
    state: () => stateOfHost,
    clientInformation: () => state.client,
    saveClientInformation: (client) => void (state.client = client),
    tokens: () => state.tokens,
    saveTokens: (tokens) => void (state.tokens = tokens),
    redirectToAuthorization: (address) => void (state.address = address),
    saveCodeVerifier: (verifier) => void (state.verifier = verifier),
    codeVerifier: () => state.verifier ?? '',
  };
  return { provider, state };
};

/** Listens for the browser that comes back. */
export const startCallback = async () => {
  type Arrival = { readonly query: URLSearchParams; readonly referer: string | undefined };
  const { promise: arrival, resolve: arrive } = Promise.withResolvers<Arrival>();
  const server = createServer((req, res) => {
    const url = new URL(req.url ?? '/', 'http://127.0.0.1');
    res.setHeader('content-type', 'text/html');
    res.end('<!doctype html><title>Connected</title><h1>Connected</h1>');
    if (url.pathname === '/callback') {
      arrive({ query: url.searchParams, referer: req.headers.referer });
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}/callback`, arrival, stop: () => close(server) };
};

const close = async (server: Server): Promise<void> => {
  server.closeAllConnections();
  await new Promise<void>((resolve) => server.close(() => resolve()));
};
