import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { attackPage } from '../src/attack-page.ts';
import { startBrowser } from '../src/browser.ts';
import type { Api } from '../src/call-api.ts';
import { administrator, startTestSystem, type TestSystem } from '../src/test-system.ts';
import { makeCompany, type CompanyWorld } from '../src/world.ts';

/** A page that attacks, in a real browser: what the browser sends by itself meets the real gateway. */
const rebound = 'evil.example';
const secret = 'Zebra-Secret';
let browser: Browser;
let foreign: Server;
let foreignPort: number;

beforeAll(async () => {
  browser = await startBrowser([rebound]);
  foreign = createServer((_req, res) => res.setHeader('content-type', 'text/html').end(attackPage));
  foreign.listen(0, '127.0.0.1');
  await once(foreign, 'listening');
  foreignPort = (foreign.address() as AddressInfo).port;
}, 60_000);
afterAll(async () => {
  await browser?.close();
  foreign?.closeAllConnections();
  foreign?.close();
});

type Scene = { system: TestSystem; board: Api; company: CompanyWorld };

const setScene = async (mode: 'local_trusted' | 'authenticated'): Promise<Scene> => {
  const system = await startTestSystem(mode, { env: { RATE_LIMIT_PER_SECOND: '0' } });
  const board = system.as(await system.boardHeaders());
  const { baseUrl } = system;
  const company = await makeCompany(board, secret, { baseUrl, withInvite: false });
  return { system, board, company };
};

/** Everything a page could have changed. */
const everything = async ({ board, company }: Scene) => {
  const { companyId, agentId, noteId } = company;
  const paths = [
    '/api/companies',
    `/api/companies/${companyId}`,
    `/api/companies/${companyId}/agents`,
    `/api/companies/${companyId}/activity`,
    `/api/companies/${companyId}/members`,
    `/api/agents/${agentId}/keys`,
    `/api/agents/${agentId}/runs`,
    `/api/notes/${noteId}/revisions`,
    '/api/notes?view=full&deleted=include',
  ];
  const naming = { headers: { 'x-company-id': companyId } };
  const responses = await Promise.all(paths.map((path) => board('GET', path, naming)));
  return responses.map(({ status, body }) => [
    status,
    JSON.stringify(body).replaceAll(/"lastUsedAt":("[^"]*"|null)/g, ''),
  ]);
};

/** What the page goes for: reads, and what would change something. */
const goals = ({ companyId, agentId, keyId, runId, noteId }: CompanyWorld) => ({
  paths: [
    '/api/companies',
    '/',
    `/api/notes/${noteId}`,
    `/api/agents/${agentId}/keys`,
    '/api/auth/session',
    '/api/companies?name=Theirs&_method=POST',
  ],
  writes: [
    ['POST', '/api/companies'],
    ['POST', `/api/companies/${companyId}/agents`],
    ['POST', `/api/agents/${agentId}/keys`],
    ['POST', `/api/agents/${agentId}/terminate`],
    ['POST', `/api/runs/${runId}/cancel`],
    ['DELETE', `/api/agents/${agentId}/keys/${keyId}`],
    ['PUT', `/api/notes/${noteId}`],
    ['POST', '/api/sync'],
    ['POST', '/api/auth/logout'],
  ],
});

const attack = (page: Page, target: string, company: CompanyWorld): Promise<readonly string[]> =>
  page.evaluate(`window.attack(${JSON.stringify(target)}, ${JSON.stringify(goals(company))})`);

/** Nothing of ours, and no identifier of ours, is in what a page could read. */
const expectNothingOurs = (loot: readonly string[], company: CompanyWorld) => {
  const read = loot.join('\n');
  for (const ours of [secret, company.companyId, company.keyId, company.runId, 'board@']) {
    expect(read).not.toContain(ours);
  }
};

/** How often the gateway gave this reason in its log. */
const refusals = ({ output }: TestSystem, reason: string): number =>
  output().split(`"reason":"${reason}"`).length - 1;

describe('in local trusted mode', () => {
  let scene: Scene;
  let before: unknown;
  beforeAll(async () => {
    scene = await setScene('local_trusted');
    before = await everything(scene);
  }, 120_000);
  afterAll(() => scene.system.stop());

  it.each(['127.0.0.1', 'localhost', rebound])(
    'a page of another port of %s changes nothing and reads nothing',
    async (host) => {
      const { system, company } = scene;
      const page = await browser.newPage();
      await page.goto(`http://${host}:${foreignPort}/`);
      const refusedBefore = refusals(system, 'cross_site_request');
      const loot = await attack(page, system.baseUrl, company);
      await page.close();
      expectNothingOurs(loot, company);
      expect(await everything(scene)).toEqual(before);
      // Not for want of trying: simple requests arrive, and are refused.
      expect(refusals(system, 'cross_site_request') - refusedBefore).toBeGreaterThan(30);
    },
    120_000,
  );

  it('a page whose name resolves to this host, on our own port, gets only 421', async () => {
    const { system, company } = scene;
    const origin = `http://${rebound}:${new URL(system.baseUrl).port}`;
    const page = await browser.newPage();
    // Loaded before its name resolved to another address; all later requests go to the gateway.
    await page.route(`${origin}/cats`, (route) =>
      route.fulfill({ contentType: 'text/html', body: attackPage }),
    );
    await page.goto(`${origin}/cats`);
    const loot = await attack(page, origin, company);
    await page.close();
    expectNothingOurs(loot, company);
    expect(loot.filter((text) => text.includes('misdirected_request')).length).toBeGreaterThan(10);
    expect(await everything(scene)).toEqual(before);
  }, 120_000);

  it('our own page may, so the browser is not what stops the others', async () => {
    const { system } = scene;
    const page = await browser.newPage({ bypassCSP: true });
    await page.goto(`${system.baseUrl}/`);
    const read = await page.evaluate("fetch('/api/companies').then((response) => response.text())");
    expect(read).toContain(secret);
    await page.close();
  });
});

describe('in authenticated mode, with an active session in the browser', () => {
  let scene: Scene;
  let before: unknown;
  let context: BrowserContext;
  beforeAll(async () => {
    scene = await setScene('authenticated');
    context = await browser.newContext({ bypassCSP: true });
    const page = await context.newPage();
    await page.goto(`${scene.system.baseUrl}/`);
    const body = JSON.stringify(administrator);
    const init = `{ method: 'POST', headers: { 'Content-Type': 'application/json' }, body: ${JSON.stringify(body)} }`;
    const status = await page.evaluate(
      `fetch('/api/auth/login', ${init}).then((response) => response.status)`,
    );
    if (status !== 200) {
      throw new Error(`Signing in from the front page returned ${String(status)}`);
    }
    before = await everything(scene);
  }, 120_000);
  afterAll(() => scene.system.stop());

  /** From another port of the same host the cookie is sent along: to the browser that is the same site. */
  it.each(['127.0.0.1', 'localhost', rebound])(
    'a page of another port of %s changes nothing, reads nothing, and signs nobody out',
    async (host) => {
      const { system, company } = scene;
      const page = await context.newPage();
      await page.goto(`http://${host}:${foreignPort}/`);
      const loot = await attack(page, system.baseUrl, company);
      await page.close();
      expectNothingOurs(loot, company);
      expect(await everything(scene)).toEqual(before);
      const own = await context.newPage();
      await own.goto(`${system.baseUrl}/`);
      const session = await own.evaluate(
        "fetch('/api/auth/session').then((response) => response.text())",
      );
      expect(session).toContain(administrator.email);
      await own.close();
    },
    120_000,
  );

  it('no script reads the cookie, and no page can frame the front page', async () => {
    const page = await context.newPage();
    const response = await page.goto(`${scene.system.baseUrl}/`);
    expect(await page.evaluate('document.cookie')).toBe('');
    expect(response?.headers()['content-security-policy']).toContain("frame-ancestors 'none'");
  });
});
