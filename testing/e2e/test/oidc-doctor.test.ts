import { afterAll, beforeAll, expect, it } from '@jest/globals';
import {
  clientId,
  startIdentityProvider,
  type IdentityProvider,
} from '../src/oidc/identity-provider.ts';
import { runAdmin } from '../src/run-script.ts';

const publicUrl = 'http://127.0.0.1:9';
let provider: IdentityProvider;

beforeAll(async () => {
  provider = await startIdentityProvider();
  provider.admit(publicUrl);
});
afterAll(() => provider.stop());

/** What the doctor says about single sign-on. Nothing else of the deployment exists. */
const examine = async (env: Readonly<Record<string, string>>) => {
  const { stdout } = await runAdmin('doctor', ['--json', '--url', publicUrl], {
    DATA_DIR: '/nowhere',
    PUBLIC_URL: publicUrl,
    OIDC_ISSUER: provider.issuer,
    OIDC_CLIENT_ID: clientId,
    ...env,
  });
  const findings = JSON.parse(stdout) as { check: string; state: string; detail: string }[];
  return findings
    .filter(({ check }) => check === 'single sign-on')
    .map(({ state, detail }) => `${state}: ${detail}`);
};

it('finds discovery, clock and redirect URI in order', async () => {
  expect(await examine({})).toEqual([
    `ok: discovered ${provider.issuer}`,
    'ok: the clock agrees with the provider',
    `ok: the provider redirects to ${publicUrl}/api/auth/oidc/callback`,
  ]);
});

it('says that the provider does not know the redirect URI', async () => {
  const [, , said] = await examine({ PUBLIC_URL: 'http://127.0.0.1:10' });
  expect(said).toMatch(/^warning: the provider may not know the redirect URI/);
});

it('says that the clocks differ', async () => {
  provider.state.intercept = (_, res) => {
    res.setHeader('Date', new Date(Date.now() - 90_000).toUTCString());
    return false;
  };
  const [, said] = await examine({});
  provider.state.intercept = null;
  expect(said).toMatch(/^failure: the clocks .* differ by (?:89|90|91|92) s/);
});

it('says that the issuer is wrong, or no provider', async () => {
  expect(await examine({ OIDC_ISSUER: `${provider.issuer}/` })).toEqual([
    `failure: the provider calls itself ${provider.issuer}`,
  ]);
  const [said] = await examine({ OIDC_ISSUER: 'http://127.0.0.1:9' });
  expect(said).toMatch(/^failure: .* does not respond within 5 s/);
});
