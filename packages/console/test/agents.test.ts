import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { bearer, createApi } from '@commonplace/e2e';
import { expectNoAxeViolations } from './support/axe.ts';
import type { Visitor } from './support/browser.ts';
import { startConsole, type ConsoleUnderTest } from './support/start-console.ts';

let subject: ConsoleUnderTest;
let visitor: Visitor;
beforeAll(async () => {
  subject = await startConsole();
}, 120_000);
afterEach(() => visitor.close());
afterAll(() => subject.stop());

const company = (): string => `/companies/${subject.world.acme.companyId}`;

/** The status of a request with the key. */
const statusWith = async (key: string): Promise<number> => {
  const { baseUrl } = subject.system;
  const { status } = await createApi({ baseUrl, headers: bearer(key) })('GET', '/api/agents/me');
  return status;
};

describe('an agent', () => {
  it('is created, found, paused, resumed, and terminated after a confirmation', async () => {
    visitor = await subject.enter();
    const { page } = visitor;
    await page.goto(`${company()}/agents`);
    await page.getByRole('button', { name: 'New agent' }).click();
    const form = page.getByRole('dialog');
    await form.getByLabel('Name').fill('Grace');
    await form.getByLabel('Role').fill('compiler');
    await form.getByLabel('Monthly budget').fill('120');
    await form.getByRole('combobox', { name: 'Reports to' }).click();
    await page.getByRole('option', { name: /Ada/ }).click();
    await form.getByRole('button', { name: /Create/ }).click();
    await page.getByRole('heading', { name: 'Grace' }).waitFor();
    await page.goto(`${company()}/agents?q=grac`);
    await page.getByRole('link', { name: 'Grace' }).click();
    await page.getByRole('heading', { name: 'Grace' }).waitFor();
    await page.getByRole('navigation', { name: 'Chain of command' }).getByText('Ada').waitFor();
    await page.getByRole('button', { name: 'Pause' }).click();
    // Nothing ran, so there is no dialog, and the message speaks of no runs.
    await page.getByText('Grace paused.', { exact: true }).waitFor();
    await page.getByText('paused', { exact: true }).waitFor();
    // A colleague resumes it: the page shows that by itself.
    const agentId = new URL(page.url()).pathname.split('/').at(-1) ?? '';
    const board = subject.system.as(await subject.system.boardHeaders());
    expect((await board('POST', `/api/agents/${agentId}/resume`)).status).toBe(200);
    await page.getByRole('button', { name: 'Pause' }).waitFor();
    await page.getByRole('button', { name: 'Terminate…' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Terminate agent' }).click();
    await page.getByText('terminated', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Resume' }).waitFor({ state: 'detached' });
    await page.getByRole('tab', { name: 'Activity' }).click();
    await page.getByRole('cell', { name: /^Agent terminated/ }).waitFor();
    expect(new URL(page.url()).searchParams.get('tab')).toBe('activity');
  });
});

describe('the list of agents', () => {
  it('has on a phone the name of its column beside each value, and still sorts', async () => {
    visitor = await subject.enter();
    const { page } = visitor;
    await page.setViewportSize({ width: 390, height: 844 });
    await page.goto(`${company()}/agents`);
    const row = page
      .getByRole('row')
      .filter({ has: page.getByRole('link', { name: 'Ada', exact: true }) });
    await row.waitFor();
    const labels = await row
      .locator('td, th')
      .evaluateAll((cells) => cells.map((cell) => getComputedStyle(cell, '::before').content));
    const names = ['Role', 'Status', 'Reports to', 'Spent this month'];
    expect(labels.slice(1)).toEqual(names.map((name) => `"${name}"`));
    const tops = await row
      .locator('td, th')
      .evaluateAll((cells) => cells.map((cell) => cell.getBoundingClientRect().top));
    expect(tops).toEqual([...new Set(tops)].toSorted((one, other) => one - other));
    await page.getByRole('button', { name: 'Name' }).click();
    await page.getByRole('columnheader', { name: 'Name' }).waitFor();
    await expectNoAxeViolations(page);
  });
});

describe('the page of an agent', () => {
  it('has on a phone its tabs beside each other', async () => {
    visitor = await subject.enter();
    const { page } = visitor;
    await page.setViewportSize({ width: 390, height: 844 });
    await page.goto(`${company()}/agents/${subject.world.acme.agentId}`);
    await page.getByRole('tab', { name: 'Activity' }).waitFor();
    const tops = await page
      .getByRole('tab')
      .evaluateAll((tabs) => tabs.map((tab) => tab.getBoundingClientRect().top));
    expect([tops.length, new Set(tops).size]).toEqual([5, 1]);
  });
});

describe('a key', () => {
  it('is displayed once and works, is replaced by rotation, and ends when it is revoked', async () => {
    visitor = await subject.enter();
    const { page } = visitor;
    await page.goto(`${company()}/agents/${subject.world.acme.agentId}?tab=keys`);
    await page.getByRole('button', { name: 'New key' }).click();
    await page.getByRole('dialog').getByLabel('Name').fill('laptop');
    await page.getByRole('button', { name: 'Create key' }).click();
    const shown = page.getByLabel('API key', { exact: true });
    const first = await shown.innerText();
    expect(await statusWith(first)).toBe(200);
    expect(await page.getByLabel('Try it', { exact: true }).innerText()).toContain(first);
    await expectNoAxeViolations(page);
    // The key cannot be had again, so nothing closes the dialog by accident.
    await page.keyboard.press('Escape');
    await page.mouse.click(5, 400);
    expect(await page.getByRole('dialog').getByRole('button', { name: 'Close' }).count()).toBe(0);
    expect(await shown.innerText()).toBe(first);
    await page.getByRole('button', { name: 'I have stored the key' }).click();
    await shown.waitFor({ state: 'detached' });
    expect(await page.content()).not.toContain(first);

    await page.getByRole('button', { name: 'Rotate laptop' }).click();
    await page.getByRole('combobox', { name: 'Old key' }).click();
    await page.getByRole('option', { name: 'Expires immediately' }).click();
    await page.getByRole('button', { name: 'Rotate key' }).click();
    const second = await shown.innerText();
    expect([await statusWith(first), await statusWith(second)]).toEqual([401, 200]);
    await page.keyboard.press('Escape');
    expect(await shown.innerText()).toBe(second);
    // Once it is copied, the dialog closes as others do.
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.getByRole('button', { name: 'Copy API key' }).click();
    await page
      .getByRole('dialog')
      .getByRole('button', { name: /^Copy API key/ })
      .filter({ hasText: 'Copied' })
      .waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).waitFor();
    await page.keyboard.press('Escape');
    await shown.waitFor({ state: 'detached' });

    const revoke = page.getByRole('button', { name: /^Revoke laptop/ });
    await revoke.click();
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke key' }).click();
    await revoke.waitFor({ state: 'detached' });
    expect(await statusWith(second)).toBe(401);
  });
});

describe('a key with fewer scopes', () => {
  it('is made read-only, does no more, and is listed with what it may', async () => {
    visitor = await subject.enter();
    const { page } = visitor;
    await page.goto(`${company()}/agents/${subject.world.acme.agentId}?tab=keys`);
    await page.getByRole('button', { name: 'New key' }).click();
    const form = page.getByRole('dialog');
    await form.getByLabel('Name').fill('reader');
    await form.getByRole('combobox', { name: 'The key may' }).click();
    await page.getByRole('option', { name: 'only what is chosen here' }).click();
    await form.getByRole('button', { name: 'Create key' }).click();
    await form.getByText('Choose at least one.').waitFor();
    await form.getByLabel('Read notes').check();
    await form.getByLabel('Read agents and runs').check();
    await expectNoAxeViolations(page);
    await form.getByRole('button', { name: 'Create key' }).click();
    const key = await page.getByLabel('API key', { exact: true }).innerText();
    await page.getByRole('button', { name: 'I have stored the key' }).click();
    await page.getByRole('cell', { name: 'notes:read, agents:read' }).waitFor();
    const call = createApi({ baseUrl: subject.system.baseUrl, headers: bearer(key) });
    expect((await call('GET', '/api/notes')).status).toBe(200);
    const refused = await call('DELETE', `/api/notes/${subject.world.acme.noteId}`);
    expect(refused.body).toMatchObject({ code: 'insufficient_scope', scope: 'notes:write' });
  });
});

describe('a run', () => {
  it('is listed while it runs, and cancelled after a confirmation, or it is said why not', async () => {
    visitor = await subject.enter();
    const { page } = visitor;
    await page.goto(`${company()}/runs?state=running`);
    const row = page.getByRole('row').filter({
      has: page.getByRole('link', { name: `Run ${subject.world.acme.runId.slice(-8)}` }),
    });
    const cancel = async (): Promise<void> => {
      await row.getByRole('button', { name: 'Cancel…' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Cancel run' }).click();
    };
    const refused = { type: 'about:blank', status: 403, code: 'role_insufficient', title: 'No' };
    const status = 403;
    const json = { ...refused, detail: 'Your role is too low.' };
    await page.route('**/cancel', (route) => route.fulfill({ status, json }), { times: 1 });
    await cancel();
    await page.getByText('The run was not cancelled: Your role is too low.').waitFor();
    await cancel();
    await row.waitFor({ state: 'detached' });
    expect(await statusWith(subject.world.acme.runToken)).toBe(401);
  });
});

describe('the org chart', () => {
  it('is a nested list with links, and zooms by keyboard', async () => {
    visitor = await subject.enter();
    const { page } = visitor;
    await page.goto(`${company()}/org-chart`);
    const chart = page.getByRole('list', { name: 'Org chart' });
    await chart.getByRole('link', { name: 'Ada' }).waitFor();
    const widthOf = async () => (await chart.boundingBox())?.width ?? 0;
    const before = await widthOf();
    await page.getByRole('button', { name: 'Zoom in' }).press('Enter');
    await page.waitForFunction(
      (width) =>
        (document.querySelector('[aria-label="Org chart"]')?.getBoundingClientRect().width ?? 0) >
        width,
      before,
    );
    expect(before).toBeGreaterThan(0);
    await expectNoAxeViolations(page);
  });
});

describe('the folders of an agent and of a key', () => {
  it('are chosen from those that there are, or named, and shown', async () => {
    visitor = await subject.enter();
    const { page } = visitor;
    const { companyId } = subject.world.acme;
    const board = subject.system.as({
      ...(await subject.system.boardHeaders()),
      'x-company-id': companyId,
    });
    await board('POST', '/api/notes', { body: { title: 'Offer', folder: 'sales' } });
    const made = await board('POST', `/api/companies/${companyId}/agents`, {
      body: { name: 'Sally', role: 'seller' },
    });
    const { id } = made.body as { id: string };
    await page.goto(`${company()}/agents/${id}`);
    await page.getByRole('button', { name: 'Edit' }).click();
    const form = page.getByRole('dialog');
    await form.getByRole('combobox', { name: 'Reaches' }).click();
    await page.getByRole('option', { name: 'only some folders' }).click();
    await form.getByRole('button', { name: 'Save' }).click();
    await form.getByText('Name at least one folder.').waitFor();
    await form.getByLabel('Folders to read and change').click();
    await page.getByRole('option', { name: 'sales' }).click();
    await form.getByLabel('Folders to read only').fill('handbook, 2026');
    await page.keyboard.press('Enter');
    // The list of folders closes.
    await page.keyboard.press('Tab');
    await expectNoAxeViolations(page);
    await form.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Reaches handbook, 2026 (read only), sales').waitFor();
    const { body } = await board('GET', `/api/agents/${id}`);
    expect(body).toMatchObject({
      grants: [
        { folder: 'handbook, 2026', scope: 'read', mode: 'direct' },
        { folder: 'sales', scope: 'any', mode: 'direct' },
      ],
    });
    await page.getByRole('tab', { name: 'Keys' }).click();
    await page.getByRole('button', { name: 'New key' }).click();
    await form.getByLabel('Name').fill('reader');
    await form.getByRole('combobox', { name: 'it reaches' }).click();
    await page.getByRole('option', { name: 'only some folders' }).click();
    await form.getByRole('button', { name: 'Create key' }).click();
    await form.getByText('Name at least one folder.').waitFor();
    await form.getByLabel('Folders to read only').fill('sales');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Tab');
    await form.getByRole('button', { name: 'Create key' }).click();
    await page.getByText('cpk_').first().waitFor();
    await page.getByRole('button', { name: 'I have stored the key' }).click();
    await page.getByRole('cell', { name: 'all sales (read only)' }).waitFor();
  });
});

describe('the overview of an agent', () => {
  it('says what it runs, what that changed and cost, and offers to undo it after a pause', async () => {
    visitor = await subject.enter();
    const { page } = visitor;
    const { companyId } = subject.world.zenith;
    const { baseUrl } = subject.system;
    const board = subject.system.as(await subject.system.boardHeaders());
    const hired = await board('POST', `/api/companies/${companyId}/agents`, {
      body: { name: 'Grace', role: 'planner' },
    });
    const { id: agentId } = hired.body as { id: string };
    const begun = await board('POST', `/api/agents/${agentId}/runs`, {
      body: { ttlSeconds: 3_600, reserveCents: 100 },
    });
    const { token, run } = begun.body as { token: string; run: { id: string } };
    const id8 = run.id.slice(-8);
    const asRun = createApi({ baseUrl, headers: bearer(token) });
    const made = await asRun('POST', '/api/notes', { body: { title: 'Plan', content: 'One\n' } });
    expect(made.status).toBe(201);
    const { id } = made.body as { id: string };
    const changed = await asRun('PATCH', `/api/notes/${id}`, {
      body: { edits: [{ op: 'replace', find: 'One', with: 'One\nTwo' }] },
    });
    expect(changed.status).toBe(200);
    const usage = { mutationId: 'first', costCents: 55 };
    expect((await asRun('POST', `/api/runs/${run.id}/usage`, { body: usage })).status).toBe(200);
    // The same sum in the list of runs, on the page of the run and on that of the agent.
    await page.goto(`/companies/${companyId}/runs?agent=${agentId}`);
    await page.getByRole('cell', { name: '$0.55 so far' }).waitFor();
    await page.goto(`/companies/${companyId}/runs/${run.id}`);
    await page.getByText('$0.55 so far, of $1.00 reserved').waitFor();
    await page.goto(`/companies/${companyId}/agents/${agentId}`);
    await page.getByRole('heading', { name: 'Running now' }).waitFor();
    await page.getByText('1 note changed in this run').waitFor();
    await page.getByRole('button', { name: `Cancel… run ${id8}` }).waitFor();
    await page
      .getByText(
        /^Today \$0\.55 so far, also by running runs; 0 runs ended; .* reserved by what is running; /,
      )
      .waitFor();
    await page.getByText('No active keys.').waitFor();
    await page.getByText('No active connections.').waitFor();
    await expectNoAxeViolations(page);

    await page.getByRole('button', { name: 'Pause' }).click();
    const confirmation = page.getByRole('dialog', { name: 'Pause Grace?' });
    await confirmation.getByText(/^This cancels 1 run of Grace: /).waitFor();
    await expectNoAxeViolations(page);
    await confirmation.getByRole('button', { name: 'Cancel', exact: true }).click();
    await confirmation.waitFor({ state: 'detached' });
    expect((await board('GET', `/api/runs/${run.id}`)).body).toMatchObject({ status: 'running' });
    await page.getByRole('button', { name: 'Pause' }).click();
    await confirmation.getByRole('button', { name: 'Pause and cancel 1 run' }).click();
    await page.getByText('Grace paused, 1 run cancelled.').waitFor();
    await page.getByRole('heading', { name: 'Last run' }).waitFor();
    // On the page beside the message, which says it, too.
    const main = page.locator('main');
    await main.getByText('1 note changed in this run').waitFor();
    await main.getByRole('button', { name: `Undo what run ${id8} wrote` }).waitFor();
    await main.getByRole('link', { name: `Review run ${id8}` }).waitFor();

    await page.getByRole('link', { name: 'Plan' }).first().click();
    await page.waitForURL(/\/history\?older=1&newer=2$/);
    await page.getByText('Two').first().waitFor();
  });

  it('says when it failed last, when its keys were used last, and that a colleague paused it', async () => {
    const { companyId } = subject.world.zenith;
    const board = subject.system.as(await subject.system.boardHeaders());
    const hired = await board('POST', `/api/companies/${companyId}/agents`, {
      body: { name: 'Lise', role: 'planner' },
    });
    const { id: agentId } = hired.body as { id: string };
    const begin = async () => {
      const begun = await board('POST', `/api/agents/${agentId}/runs`, { body: {} });
      const { token, run } = begun.body as { token: string; run: { id: string } };
      const self = createApi({ baseUrl: subject.system.baseUrl, headers: bearer(token) });
      return { id: run.id, self };
    };
    const failed = await begin();
    const end = { status: 'failed', reason: 'the source was not there' };
    const ended = await failed.self('POST', `/api/runs/${failed.id}/finish`, { body: end });
    expect(ended.status).toBe(200);
    await begin();
    const makeKey = async (name: string) => {
      const { body } = await board('POST', `/api/agents/${agentId}/keys`, { body: { name } });
      return (body as { key: string }).key;
    };
    await makeKey('spare');
    expect(await statusWith(await makeKey('in use'))).toBe(200);
    const readKeys = async () =>
      (await board('GET', `/api/agents/${agentId}/keys`)).body as {
        readonly items: readonly { readonly lastUsedAt: string | null }[];
      };
    while ((await readKeys()).items.every(({ lastUsedAt }) => lastUsedAt === null)) {
      // Uses are written together, after a while.
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    visitor = await subject.enter();
    const { page } = visitor;
    await page.goto(`/companies/${companyId}/agents/${agentId}`);
    const failure = page.getByText(/^Last failure: /);
    await failure.getByText(/, the source was not there$/).waitFor();
    await failure.getByRole('link', { name: `Run ${failed.id.slice(-8)}` }).waitFor();
    const useOf = (name: string) => page.getByText(name, { exact: true }).locator('../..');
    await useOf('spare').getByText('never used').waitFor();
    await useOf('in use')
      .getByText(/^used (just now|\d+ \w+ ago)$/)
      .waitFor();
    await page.getByRole('heading', { name: 'Running now' }).waitFor();
    expect((await board('POST', `/api/agents/${agentId}/pause`)).status).toBe(200);
    await page.getByRole('button', { name: 'Resume' }).waitFor();
    await page.getByText('paused', { exact: true }).waitFor();
    await page.getByRole('heading', { name: 'Last run' }).waitFor();
  });

  it('looks through all versions for notes that it changed, and says that there is none', async () => {
    const { companyId } = subject.world.zenith;
    const board = subject.system.as(await subject.system.boardHeaders());
    const hired = await board('POST', `/api/companies/${companyId}/agents`, {
      body: { name: 'Idle', role: 'planner' },
    });
    visitor = await subject.enter();
    const { page } = visitor;
    // Of many versions, the server looks at some for each page.
    await page.route('**/api/notes/activity?*author=*', (route) =>
      route.fulfill({
        json: { items: [], nextCursor: route.request().url().includes('cursor') ? null : 'older' },
      }),
    );
    await page.goto(`/companies/${companyId}/agents/${(hired.body as { id: string }).id}`);
    await page.getByText('It has not changed a note.').waitFor();
    expect(await page.getByRole('button', { name: 'Load more' }).count()).toBe(0);
  });

  it('says that there is more than it shows, and what it could not read', async () => {
    const { companyId } = subject.world.zenith;
    const board = subject.system.as(await subject.system.boardHeaders());
    const hired = await board('POST', `/api/companies/${companyId}/agents`, {
      body: { name: 'Hedy', role: 'planner' },
    });
    const { id: agentId } = hired.body as { id: string };
    for (let count = 1; count <= 6; count += 1) {
      const body = { name: `laptop ${count}` };
      expect((await board('POST', `/api/agents/${agentId}/keys`, { body })).status).toBe(201);
      expect((await board('POST', `/api/agents/${agentId}/runs`, { body: {} })).status).toBe(201);
    }
    visitor = await subject.enter();
    const { page } = visitor;
    await page.route('**/api/notes/activity?*', (route) =>
      route.request().url().includes('author=')
        ? route.fulfill({ json: { items: [], nextCursor: 'older' } })
        : route.fulfill({ status: 500, contentType: 'text/plain', body: 'broken' }),
    );
    await page.goto(`/companies/${companyId}/agents/${agentId}`);
    await page.getByText('and 1 more', { exact: true }).waitFor();
    await page.getByText('None among the latest changes.').waitFor();
    await page.getByText('The changes of this run could not be read.').first().waitFor();
    const names = await page.getByRole('button', { name: /^Cancel/ }).allInnerTexts();
    expect([names.length, new Set(names).size]).toEqual([5, 5]);
    await page.getByRole('link', { name: 'and more running runs' }).click();
    await page.waitForURL(new RegExp(`/runs\\?.*${agentId}`));
    await page
      .getByRole('button', { name: /^Cancel/ })
      .nth(5)
      .waitFor();
  });
});
