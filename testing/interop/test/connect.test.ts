import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { bearer } from '@commonplace/e2e';
import { findFreePort } from '@commonplace/embedded-postgres';
import {
  startCallback,
  startOauthHost,
  type OauthHost,
  type OfficialSdk,
} from '@commonplace/e2e/oauth-host';
import { startTestSystem, type TestSystem } from '@commonplace/e2e/test-system';
import { startApprovingBrowser, type ApprovingBrowser } from '../src/approve-in-browser.ts';
import { conformanceProgram, readChecks } from '../src/mcp-conformance.ts';
import { startProgram } from '../src/start-program.ts';
import { importTool, installTools, toolPath } from '../src/workspace.ts';

/** Clients of other people, which connect by OAuth; Chromium does the consent. */
let system: TestSystem;
let browser: ApprovingBrowser;
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'commonplace-connect-'));
  [system] = await Promise.all([
    startTestSystem('authenticated', { env: { OAUTH_AT_MCP: 'on', RATE_LIMIT_PER_SECOND: '0' } }),
    installTools(),
  ]);
  const board = system.as(await system.boardHeaders());
  await board('POST', '/api/companies', { body: { name: 'Connected' } });
  browser = await startApprovingBrowser(system.baseUrl);
}, 300_000);
afterAll(async () => {
  await browser.stop();
  await system.stop();
  await rm(folder, { recursive: true, force: true });
});

/** What a client prints for a person to open in a browser. */
const authorizeAddress = /http:\/\/\S+\/connect\/authorize\?\S+/;

const serverAt = (path: string): string => system.baseUrl + path;

/** Version 1, which the tools have. */
const firstSdk = async (): Promise<OfficialSdk> => {
  const load = (file: string): Promise<Partial<OfficialSdk>> =>
    importTool(`@modelcontextprotocol/sdk/dist/esm/client/${file}.js`);
  const parts = await Promise.all(['auth', 'index', 'streamableHttp'].map(load));
  return Object.assign({}, ...parts) as OfficialSdk;
};

describe('the official SDK', () => {
  let host: OauthHost;
  afterEach(() => host.stop());

  it.each([
    ['1', '/connect/mcp'],
    ['2', '/mcp'],
  ])('of version %s connects at %s, calls a tool, and refreshes', async (version, path) => {
    host = await startOauthHost(
      serverAt(path),
      `SDK ${version}`,
      version === '1' ? await firstSdk() : undefined,
    );
    await browser.approve(await host.begin());
    await host.finish();
    const first = host.tokens();
    const who = await (await host.client()).callTool({ name: 'whoami', arguments: {} });
    expect(JSON.stringify(who)).toContain(`SDK ${version}`);
    // Without its access token a host has the refresh token only.
    host.forgetAccessToken();
    const again = await (await host.client()).callTool({ name: 'whoami', arguments: {} });
    expect(again.isError).toBeFalsy();
    expect(host.tokens()?.refresh_token).not.toBe(first?.refresh_token);
    const other = path === '/mcp' ? '/connect/mcp' : '/mcp';
    const elsewhere = await fetch(serverAt(other), {
      method: 'POST',
      headers: {
        ...bearer(String(host.tokens()?.access_token)),
        'content-type': 'application/json',
      },
      body: '{}',
    });
    expect(elsewhere.status).toBe(401);
  });
});

describe('openid-client', () => {
  it('discovers, registers, connects, refreshes and revokes, and checks the issuer', async () => {
    const library = (await importTool('openid-client/build/index.js')) as OpenIdClient;
    const callback = await startCallback();
    const options = { algorithm: 'oauth2', execute: [library.allowInsecureRequests] } as const;
    const config = await library.dynamicClientRegistration(
      new URL(`${system.baseUrl}/connect`),
      { redirect_uris: [callback.url], token_endpoint_auth_method: 'none' },
      library.None(),
      options,
    );
    const resource = serverAt('/connect/mcp');
    const verifier = library.randomPKCECodeVerifier();
    const address = library.buildAuthorizationUrl(config, {
      redirect_uri: callback.url,
      scope: 'notes:read',
      state: 'state-of-openid-client',
      resource,
      code_challenge: await library.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
    });
    await browser.approve(address);
    const { query } = await callback.arrival;
    await callback.stop();
    const back = new URL(`${callback.url}?${query.toString()}`);
    const checks = { pkceCodeVerifier: verifier, expectedState: 'state-of-openid-client' };
    const tampered = new URL(back);
    tampered.searchParams.set('iss', 'https://other.example');
    await expect(
      library.authorizationCodeGrant(config, tampered, checks, { resource }),
    ).rejects.toThrow('invalid response');
    const tokens = await library.authorizationCodeGrant(config, back, checks, { resource });
    expect(tokens).toMatchObject({ token_type: 'bearer', scope: 'notes:read' });
    const next = await library.refreshTokenGrant(config, String(tokens.refresh_token), {
      resource,
    });
    const ping = async (token: string): Promise<number> => {
      const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' });
      const headers = {
        ...bearer(token),
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
      };
      return (await fetch(resource, { method: 'POST', headers, body })).status;
    };
    expect(await ping(next.access_token)).toBe(200);
    await library.tokenRevocation(config, String(next.refresh_token));
    await expect(
      library.refreshTokenGrant(config, String(next.refresh_token), { resource }),
    ).rejects.toMatchObject({ error: 'invalid_grant' });
  });
});

/** What is used of openid-client, which is no dependency of the repository. */
type OpenIdClient = {
  readonly allowInsecureRequests: unknown;
  readonly None: () => unknown;
  readonly randomPKCECodeVerifier: () => string;
  readonly calculatePKCECodeChallenge: (verifier: string) => Promise<string>;
  readonly dynamicClientRegistration: (...args: readonly unknown[]) => Promise<object>;
  readonly buildAuthorizationUrl: (config: object, params: object) => URL;
  readonly authorizationCodeGrant: (...args: readonly unknown[]) => Promise<OpenIdTokens>;
  readonly refreshTokenGrant: (...args: readonly unknown[]) => Promise<OpenIdTokens>;
  readonly tokenRevocation: (config: object, token: string) => Promise<void>;
};
type OpenIdTokens = { readonly access_token: string; readonly refresh_token?: string };

describe('mcp-remote', () => {
  it('connects, and lists the tools', async () => {
    const program = toolPath('.bin/mcp-remote-client');
    const remote = startProgram(program, {
      args: [serverAt('/connect/mcp'), '--allow-http'],
      cwd: folder,
      // Without a PATH to a browser it prints the address.
      env: {
        PATH: process.execPath.replace(/\/[^/]+$/, ''),
        HOME: folder,
        MCP_REMOTE_CONFIG_DIR: folder,
      },
    });
    try {
      await browser.approve((await remote.printed(authorizeAddress))[0]);
      expect((await remote.printed(/write_note|"error"/))[0]).toBe('write_note');
    } finally {
      await remote.stop();
    }
  }, 120_000);
});

describe('the conformance suite', () => {
  it('finds nothing wrong with the authorization server, and gets a token', async () => {
    const port = await findFreePort();
    const registered = await fetch(serverAt('/connect/register'), {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ redirect_uris: [`http://127.0.0.1:${port}/callback`] }),
    });
    const { client_id: clientId } = (await registered.json()) as { client_id: string };
    const results = join(folder, 'conformance');
    const issuer = `${system.baseUrl}/connect`;
    const options = ['--url', issuer, '--client-id', clientId, '--resource', `${issuer}/mcp`];
    const suite = startProgram(process.execPath, {
      args: [
        conformanceProgram(),
        'authorization',
        ...options,
        '--port',
        String(port),
        '-o',
        results,
      ],
      cwd: folder,
      env: {},
    });
    try {
      await browser.approve((await suite.printed(authorizeAddress))[0]);
      expect(await suite.ended).toBe(0);
    } finally {
      await suite.stop();
    }
    const checks = await readChecks(results);
    expect(checks.map(({ id, status }) => [id, status]).toSorted()).toEqual([
      ['authorization-code-grant', 'SUCCESS'],
      ['authorization-server-metadata', 'SUCCESS'],
      ['authorization-server-metadata-cimd', 'SUCCESS'],
    ]);
  }, 120_000);
});

it('the root documents stay 404, with OAUTH_AT_MCP too', async () => {
  for (const path of [
    '/.well-known/oauth-authorization-server',
    '/.well-known/openid-configuration',
    '/.well-known/oauth-protected-resource',
  ]) {
    expect([path, (await fetch(serverAt(path))).status]).toEqual([path, 404]);
  }
});
