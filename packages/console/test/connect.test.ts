import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { inviteMember, memberPassword } from '@commonplace/e2e';
import { startOauthHost, type OauthHost } from '@commonplace/e2e/oauth-host';
import { expectNoAxeViolations } from './support/axe.ts';
import type { Visitor } from './support/browser.ts';
import { startForeignPage } from './support/foreign-page.ts';
import { loseResponse } from './support/lose-response.ts';
import { fillLogin } from './support/sign-in.ts';
import { board, startConsole, type ConsoleUnderTest } from './support/start-console.ts';
import { expectLargeTargets } from './support/targets.ts';

let subject: ConsoleUnderTest;
let host: OauthHost;
let visitor: Visitor;
beforeAll(async () => {
  subject = await startConsole({ mode: 'authenticated' });
}, 120_000);
afterEach(async () => {
  await visitor.close();
  await host.stop();
});
afterAll(() => subject.stop());

const startHost = (name = 'Claude') =>
  startOauthHost(`${subject.system.baseUrl}/connect/mcp`, name);

type Page = Visitor['page'];

/** The company that has a connection. */
const connectedCompany = async (page: Page): Promise<string> => {
  const read = async (path: string) =>
    (await (await page.request.get(subject.system.baseUrl + path)).json()) as {
      readonly items: readonly { readonly id: string }[];
    };
  for (const { id } of (await read('/api/companies')).items) {
    if ((await read(`/api/companies/${id}/connections`)).items.length > 0) {
      return id;
    }
  }
  throw new Error('No company has a connection');
};

const revokeByOperator = async (page: Page): Promise<void> => {
  await page.goto(`/companies/${await connectedCompany(page)}/credentials?show=all`);
  await page.getByRole('cell', { name: 'notes:read, notes:write' }).waitFor();
  await expectNoAxeViolations(page);
  const revoke = page.getByRole('button', { name: 'Revoke the connection of Claude' });
  const wide = page.viewportSize();
  await page.setViewportSize({ width: 390, height: 780 });
  // Only once the page has its new layout.
  await page.waitForFunction(
    (button) => button !== null && button.getBoundingClientRect().right <= 390,
    await revoke.elementHandle(),
  );
  await page.setViewportSize(wide ?? { width: 1280, height: 720 });
  await revoke.click();
  const dialog = page.getByRole('dialog', {
    name: /^Revoke the connection of Claude \(.+\).*, created /,
  });
  await dialog.getByRole('button', { name: 'Revoke connection' }).click();
  await page.getByText(/^The connection of Claude .+ was revoked\.$/).waitFor();
  await page.getByRole('cell', { name: 'revoked' }).waitFor();
  expect(await page.getByRole('button', { name: /^Revoke the connection/ }).count()).toBe(0);
};

/** Adds a member to the company; returns how it signs in. */
const addMember = async (email: string, role: 'operator' | 'viewer') => {
  const { system, world } = subject;
  const asBoard = system.as(await system.boardHeaders());
  await inviteMember(asBoard, world.acme, { baseUrl: system.baseUrl, email, role });
  return { email, password: memberPassword };
};

describe('connecting a host', () => {
  it('leads from its address over signing in and the consent back to the host', async () => {
    host = await startHost();
    visitor = await subject.visit();
    const { page } = visitor;
    await page.goto(String(await host.begin()));
    await page.waitForURL('**/login?next=*');
    await page.getByText('An app wants to connect.').waitFor();
    await fillLogin(page, board);
    await page.getByRole('heading', { name: /^Connect 127\.0\.0\.1/ }).waitFor();
    await page.getByText('Nobody has checked that name.').waitFor();
    await page.getByText('An app on this computer').waitFor();
    await page.getByText(`You are signed in as ${board.email}.`).waitFor();
    await expectNoAxeViolations(page);
    await page.getByRole('button', { name: 'Connect', exact: true }).click();
    await page.getByRole('heading', { name: 'Connected' }).waitFor();
    await host.finish();
    expect(host.tokens()).toMatchObject({ token_type: 'Bearer', scope: 'notes:read notes:write' });
    const client = await host.client();
    const written = await client.callTool({
      name: 'write_note',
      arguments: { title: 'By Claude' },
    });
    expect(written.isError).toBeFalsy();
    expect(await host.referer()).toBeUndefined();
    const secrets = await host.secrets();
    expect(secrets).toHaveLength(5);
    for (const secret of secrets) {
      expect(subject.system.output()).not.toContain(secret);
    }
    await revokeByOperator(page);
  });

  it('may be limited to folders, and its list of connections says so', async () => {
    host = await startHost();
    visitor = await subject.enter();
    const { page } = visitor;
    const { companyId } = subject.world.acme;
    const owner = subject.system.as({
      ...(await subject.system.boardHeaders()),
      'x-company-id': companyId,
    });
    for (const folder of ['sales', 'hr']) {
      await owner('POST', '/api/notes', { body: { title: `In ${folder}`, folder } });
    }
    await owner('POST', `/api/companies/${companyId}/agents`, {
      body: { name: 'Sally', role: 'seller', grants: [{ folder: 'sales', scope: 'any' }] },
    });
    await page.goto(String(await host.begin()));
    await page.getByRole('heading', { name: /^Connect 127/ }).waitFor();
    await page.getByRole('combobox', { name: 'Company' }).click();
    await page.getByRole('option', { name: /^Acme/ }).click();
    await page.getByRole('combobox', { name: 'As the agent' }).click();
    await page.getByRole('option', { name: /Sally/ }).click();
    await page.getByText('Its agent reaches sales.').waitFor();
    await page.getByRole('combobox', { name: 'The app reaches' }).click();
    await page.getByRole('option', { name: 'only some folders' }).click();
    await page.getByRole('combobox', { name: 'Folders to read only' }).fill('hr');
    await page.getByRole('option', { name: 'hr', exact: true }).waitFor();
    await page.keyboard.press('Enter');
    await page.keyboard.press('Tab');
    await expectNoAxeViolations(page);
    await page.getByRole('button', { name: 'Connect', exact: true }).click();
    await page.getByText(/Beyond what it reaches: the folder hr/).waitFor();
    // Takes it out again: more than the agent has was not narrowed in silence.
    await page.getByRole('combobox', { name: 'Folders to read only' }).click();
    await page.keyboard.press('Backspace');
    await page.getByRole('option', { name: 'sales' }).click();
    await page.keyboard.press('Tab');
    expect(await page.getByRole('option', { name: 'hr' }).count()).toBe(0);
    await page.getByRole('button', { name: 'Connect', exact: true }).click();
    await page.getByRole('heading', { name: 'Connected' }).waitFor();
    await host.finish();
    const client = await host.client();
    const self = await client.callTool({ name: 'whoami', arguments: {} });
    expect(JSON.stringify(self.content)).toContain('folders: sales (read only)');
    const notes = await client.callTool({ name: 'list_notes', arguments: {} });
    expect(JSON.stringify(notes)).toContain('In sales');
    expect(JSON.stringify(notes)).not.toContain('In hr');
    await page.goto(`/companies/${companyId}/credentials`);
    await page.getByRole('cell', { name: 'sales (read only)' }).waitFor();
    const consenter = page.getByRole('cell', { name: /ago by board$|now by board$/ });
    await consenter.waitFor();
    // Also where so many belong to the company that who consented is not on the first page of them.
    await page.route(`**/api/companies/${companyId}/members*`, async (route) => {
      const url = new URL(route.request().url());
      const isFirst = !url.searchParams.has('cursor');
      url.searchParams.delete('cursor');
      await (isFirst
        ? route.fulfill({ json: { items: [], nextCursor: 'next' } })
        : route.fulfill({ response: await route.fetch({ url: url.href }) }));
    });
    await page.reload();
    await consenter.waitFor();
  });

  it('connects no app that would reach nothing, and takes the folder that is highlighted', async () => {
    host = await startHost();
    visitor = await subject.enter();
    const { page } = visitor;
    const { companyId } = subject.world.acme;
    const owner = subject.system.as({
      ...(await subject.system.boardHeaders()),
      'x-company-id': companyId,
    });
    await owner('POST', '/api/notes', { body: { title: 'Open', folder: 'public/2026' } });
    await page.goto(String(await host.begin()));
    await page.getByRole('heading', { name: /^Connect 127/ }).waitFor();
    await page.getByRole('combobox', { name: 'Company' }).click();
    await page.getByRole('option', { name: /^Acme/ }).click();
    const reach = page.getByRole('combobox', { name: 'The app reaches' });
    await reach.click();
    await page.getByRole('option', { name: 'only some folders' }).click();
    const connect = page.getByRole('button', { name: 'Connect', exact: true });
    await connect.click();
    await page.getByText('Name at least one folder.').waitFor();
    expect(await reach.getAttribute('aria-invalid')).toBe('true');
    const folders = page.getByRole('combobox', { name: 'Folders to read and change' });
    await folders.fill('pub');
    await page.getByRole('option', { name: 'pub (no notes there yet)' }).waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    expect(await page.getByText('No notes there yet').count()).toBe(0);
    // What is typed comes before a longer one: nobody is given access to more than was meant.
    await folders.fill('pub');
    await page.getByRole('option', { name: 'pub (no notes there yet)' }).waitFor();
    await page.keyboard.press('Enter');
    await page.getByText('No notes there yet: pub').waitFor();
    await page.keyboard.press('Backspace');
    await folders.fill('plans');
    await page.getByRole('option', { name: 'plans (no notes there yet)' }).waitFor();
    await page.keyboard.press('Enter');
    await page.getByText('No notes there yet: plans').waitFor();
    await page.keyboard.press('Tab');
    await expectNoAxeViolations(page);
    await connect.click();
    await page.getByRole('heading', { name: 'Connected' }).waitFor();
    await host.finish();
    await page.goto(`/companies/${companyId}/credentials`);
    await page.getByRole('cell', { name: /plans, public/ }).waitFor();
  });

  it('sends a refusal back to the host, and says so when the request is over', async () => {
    host = await startHost('Bank\u202e <img src=x onerror=alert(1)>');
    visitor = await subject.enter(board, { viewport: { width: 360, height: 740 } });
    const { page } = visitor;
    await page.goto(String(await host.begin()));
    await page.getByRole('heading', { name: /^Connect 127/ }).waitFor();
    // What an app calls itself is text, whatever it looks like.
    await page.getByText('calls itself “Bank <img src=x onerror=alert(1)>”').waitFor();
    expect(await page.locator('img[src="x"]').count()).toBe(0);
    await expectLargeTargets(page);
    const address = page.url();
    await page.getByRole('button', { name: 'Refuse' }).click();
    await page.getByRole('heading', { name: 'Connected' }).waitFor();
    await expect(host.finish()).rejects.toThrow('access_denied');
    await page.goto(address);
    await page.getByText('This request is over').waitFor();
    await expectNoAxeViolations(page);
    await page.goto(address.slice(0, -5));
    await page.getByText('This request is over').waitFor();
  });

  it('shows what the app requests now, when that changed while the page was open', async () => {
    host = await startHost('Claude');
    visitor = await subject.enter();
    const { page } = visitor;
    await page.route('**/connect/consent/*', async (route) => {
      if (route.request().isNavigationRequest()) {
        return route.continue();
      }
      const json = await (await route.fetch()).json();
      const client = { ...json.client, name: 'Earlier' };
      return route.fulfill({ json: { ...json, version: 'x'.repeat(43), client } });
    });
    await page.goto(String(await host.begin()));
    await page.getByText('The app calls itself “Earlier”').waitFor();
    await page.unrouteAll();
    await page.getByRole('button', { name: 'Connect', exact: true }).click();
    await page.getByText('What the app requests has changed').waitFor();
    await page.getByText('The app calls itself “Claude”').waitFor();
    await page.getByRole('button', { name: 'Connect', exact: true }).click();
    await page.getByRole('heading', { name: 'Connected' }).waitFor();
    await host.finish();
    expect(host.tokens()).toMatchObject({ token_type: 'Bearer' });
  });

  it('says what is not valid at its field, by the label of that', async () => {
    host = await startHost();
    visitor = await subject.enter();
    const { page } = visitor;
    await page.goto(String(await host.begin()));
    await page.getByRole('heading', { name: /^Connect 127/ }).waitFor();
    const refused: readonly (readonly [object, string, string])[] = [
      [{ expiresAt: '2020-01-01T00:00:00.000Z' }, 'The connection ends', 'must be in the future'],
      [{ agent: { name: 'x'.repeat(201) } }, 'As the agent', ''],
      [{ scopes: [] }, 'The app may', 'is empty or too short'],
      [{ grants: [{ folder: 'a//b', scope: 'any' }] }, 'The app reaches', 'must be a folder'],
    ];
    for (const [part, label, text] of refused) {
      await page.route('**/connect/consent/*', async (route) => {
        const body = route.request().postDataJSON() as object | null;
        await route.continue(body ? { postData: JSON.stringify({ ...body, ...part }) } : {});
      });
      await page.getByRole('button', { name: 'Connect', exact: true }).click();
      await page.getByRole('alert').getByText(`${label}: ${text}`).waitFor();
      const field = page
        .getByRole('combobox', { name: label })
        .or(page.getByRole('group', { name: label }));
      // What is wrong with it describes the field.
      const about = await field.getAttribute('aria-describedby');
      const ids = (about ?? '').split(' ').filter((id) => id.endsWith('-error'));
      const [said = ''] = await Promise.all(
        ids.map((id) => page.locator(`[id="${id}"]`).innerText()),
      );
      expect(said.toLowerCase()).toContain(text);
      expect(said).not.toBe('');
      await page.unrouteAll();
    }
    await expectNoAxeViolations(page);
  });

  it('fits a phone however long the name of the app is', async () => {
    host = await startHost('Connector'.repeat(12));
    visitor = await subject.enter(board, { viewport: { width: 390, height: 844 } });
    const { page } = visitor;
    await page.goto(String(await host.begin()));
    await page.getByText('Nobody has checked that name.').waitFor();
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390);
  });

  it('is decided by another account, whose operator signs in and comes back to the request', async () => {
    const account = await addMember('olaf@example.org', 'operator');
    host = await startHost();
    visitor = await subject.enter();
    const { page } = visitor;
    await page.goto(String(await host.begin()));
    await page.getByText(`You are signed in as ${board.email}.`).waitFor();
    await page.getByRole('button', { name: 'Use another account' }).click();
    await page.getByText('An app wants to connect.').waitFor();
    const signIn = page.url();
    await fillLogin(page, account);
    await page.getByText(`You are signed in as ${account.email}.`).waitFor();
    // With the session the page to sign in leads there as well, as after Back.
    await page.goto(signIn);
    await page.getByText(`You are signed in as ${account.email}.`).waitFor();
    await page.getByRole('button', { name: 'Connect', exact: true }).click();
    await page.getByRole('heading', { name: 'Connected' }).waitFor();
    await host.finish();
    expect(host.tokens()).toMatchObject({ token_type: 'Bearer' });
  });

  it('says to a viewer before the decision that only an agent that exists can read for it', async () => {
    const account = await addMember('viola@example.org', 'viewer');
    host = await startHost();
    visitor = await subject.enter(account);
    const { page } = visitor;
    await page.goto(String(await host.begin()));
    await page.getByText('As a viewer you connect an app to an agent that exists').waitFor();
    expect(await page.getByText(/will read and write/).count()).toBe(0);
    await page.getByPlaceholder('Choose an agent').waitFor();
    await expectNoAxeViolations(page);
  });
});

describe('a consent over a bad connection', () => {
  const open = async (): Promise<Page> => {
    host = await startHost();
    visitor = await subject.enter();
    const { page } = visitor;
    await page.goto(String(await host.begin()));
    await page.getByRole('heading', { name: /^Connect 127/ }).waitFor();
    return page;
  };

  it('whose response was lost is over when it is sent again, and is no longer offered', async () => {
    const page = await open();
    await loseResponse(page, 'POST', '/connect/consent/*');
    const connect = page.getByRole('button', { name: 'Connect', exact: true });
    await connect.click();
    await page.getByRole('alert').getByText('Commonplace is unreachable.').waitFor();
    await connect.click();
    await page.getByRole('alert').getByText('This request is over: it was decided').waitFor();
    expect(await connect.count()).toBe(0);
  });

  it('says what was decided until the browser is back at the app', async () => {
    const page = await open();
    await page.route('**/connect/consent/*', (route) =>
      route.request().method() === 'POST'
        ? route.fulfill({ json: { location: 'unknown-app://callback' } })
        : route.fallback(),
    );
    await page.getByRole('button', { name: 'Connect', exact: true }).click();
    await page.getByRole('status').getByText('Connected. Your browser goes back').waitFor();
    expect(await page.getByRole('button', { name: 'Connect', exact: true }).count()).toBe(0);
  });

  it('says so where the agents could not be listed, and lists them by a button', async () => {
    const refused = { status: 500, contentType: 'text/plain', body: 'no' };
    const agentList = /\/agents(\?|$)/;
    const page = await open();
    await page.route(agentList, (route) => route.fulfill(refused));
    await page.reload();
    const alert = page.getByRole('alert').filter({ hasText: 'could not be listed' });
    await alert.waitFor();
    await page.unroute(agentList);
    await page.getByRole('button', { name: 'Try again' }).click();
    await alert.waitFor({ state: 'detached' });
    await expectNoAxeViolations(page);
  });
});

describe('a page of another origin in the browser of an operator who is to decide', () => {
  type ForeignPage = Awaited<ReturnType<typeof startForeignPage>>;
  let foreign: ForeignPage;
  beforeAll(async () => {
    foreign = await startForeignPage();
  });
  afterAll(() => foreign.stop());

  /** Attacks the consent from a page; returns what it read, and where its frames are. */
  const attackFrom = async (name: string, paths: readonly string[], version: string) => {
    const page = await visitor.page.context().newPage();
    await page.goto(foreign.addressAt(name));
    const decisions = [
      JSON.stringify({ decision: 'refuse' }),
      JSON.stringify({
        decision: 'approve',
        version,
        companyId: subject.world.acme.companyId,
        agent: { name: 'Theirs' },
        scopes: ['notes:read', 'notes:write'],
        expiresAt: null,
      }),
    ];
    const given = [subject.system.baseUrl, paths, decisions].map((each) => JSON.stringify(each));
    const loot: readonly string[] = await page.evaluate(`window.attack(${given.join(', ')})`);
    // The frames of its forms show the refusals.
    const framed = page.frames().filter((frame) => !frame.name().startsWith('form'));
    const frames = framed.map((frame) => frame.url());
    await page.close();
    return { loot: loot.join('\n'), frames };
  };
  const refusals = () =>
    subject.system.output().match(/"reason":"(?:cross_site_request|credential_required)"/g)
      ?.length ?? 0;

  it.each(['127.0.0.1', 'localhost'])(
    'neither decides nor reads nor frames the consent, from %s',
    async (name) => {
      host = await startHost();
      visitor = await subject.enter();
      const { page } = visitor;
      const address = await host.begin();
      await page.goto(String(address));
      await page.getByRole('heading', { name: /^Connect 127/ }).waitFor();
      const path = new URL(page.url()).pathname;
      const read = await page.request.get(path, { headers: { accept: 'application/json' } });
      const { version } = (await read.json()) as { version: string };
      const refusedBefore = refusals();
      const paths = [path, `${address.pathname}${address.search}`];
      const { loot, frames } = await attackFrom(name, paths, version);
      expect(loot).not.toContain(version);
      expect(loot).not.toContain('Claude');
      expect(frames).toHaveLength(1 + paths.length);
      expect(frames.filter((url) => url.startsWith(subject.system.baseUrl))).toEqual([]);
      // Not for want of trying: from another site the session is not even sent.
      // The log comes through a pipe.
      while (refusals() - refusedBefore <= 8) {
        await page.waitForTimeout(50);
      }
      await page.bringToFront();
      await page.getByRole('button', { name: 'Connect', exact: true }).click();
      await page.getByRole('heading', { name: 'Connected' }).waitFor();
      await host.finish();
      expect(host.tokens()).toMatchObject({ token_type: 'Bearer' });
    },
  );
});
