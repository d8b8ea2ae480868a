import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import {
  bearer,
  createApi,
  startEmbeddingsServer,
  type Api,
  type EmbeddingsServer,
} from '@commonplace/e2e';
import { must } from '../tools/must.ts';
import { openPage } from '../tools/wait-until-idle.ts';
import type { Visitor } from './support/browser.ts';
import { startEmptyConsole, type EmptyConsole } from './support/start-console.ts';

let subject: EmptyConsole;
let visitor: Visitor;
let board: Api;
let embeddings: EmbeddingsServer;
beforeAll(async () => {
  embeddings = await startEmbeddingsServer();
  subject = await startEmptyConsole('authenticated', {
    env: {
      RATE_LIMIT_PER_SECOND: '0',
      EMBEDDINGS_URL: embeddings.url,
      EMBEDDINGS_MODEL: 'stand-in',
      EMBEDDINGS_DIMENSIONS: String(embeddings.dimensions),
    },
  });
  board = subject.system.as(await subject.system.boardHeaders());
}, 120_000);
afterEach(() => visitor.close());
afterAll(async () => {
  await subject.stop();
  await embeddings.close();
});

const makeCompany = async (name: string): Promise<string> =>
  String((await must(board, 'POST /api/companies', { name }))['id']);

type RunEnd = {
  readonly status: 'succeeded' | 'failed';
  readonly costCents: number;
  readonly reason?: string;
};

/** An agent with finished runs. */
const makeRunner = async (companyId: string, name: string, ends: readonly RunEnd[]) => {
  const agent = await must(board, `POST /api/companies/${companyId}/agents`, {
    name,
    role: 'spender',
    budget: { monthlyCents: 10_000 },
  });
  const path = `/api/agents/${String(agent['id'])}`;
  const { key } = await must(board, `POST ${path}/keys`, { name: 'k' });
  const self = createApi({ baseUrl: subject.system.baseUrl, headers: bearer(String(key)) });
  for (const end of ends) {
    const { run } = (await must(self, `POST ${path}/runs`, { reserveCents: end.costCents })) as {
      readonly run: { readonly id: string };
    };
    await must(self, `POST /api/runs/${run.id}/finish`, end);
  }
  return path;
};

/** An agent with a finished run that had a cost. */
const makeSpender = (companyId: string, name: string, costCents: number) =>
  makeRunner(companyId, name, [{ status: 'succeeded', costCents }]);

describe('search by meaning', () => {
  it('is switched on by an owner who has seen what is sent where, and off again', async () => {
    const companyId = await makeCompany('Searchers');
    const settings = () => must(board, `GET /api/companies/${companyId}/search-settings`);
    visitor = await subject.enter();
    const { page } = visitor;
    await openPage(page, `/companies/${companyId}/settings`);
    await page.getByText(/^Off\. When it is on, titles, folders and contents/).waitFor();
    await page.getByRole('button', { name: 'Switch on…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Send all notes to this service?' });
    await dialog.getByText(/are sent to 127\.0\.0\.1/).waitFor();
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await dialog.waitFor({ state: 'detached' });
    expect(await settings()).toMatchObject({ embeddings: false });
    await page.getByRole('button', { name: 'Switch on…' }).click();
    await dialog.getByRole('button', { name: 'Switch on' }).click();
    await page.getByText(/^On: notes and the queries of searches are sent to/).waitFor();
    expect(await settings()).toMatchObject({ embeddings: true });
    await page.getByRole('button', { name: 'Switch off and delete vectors' }).click();
    await page.getByText(/^Off\. When it is on/).waitFor();
    expect(await settings()).toMatchObject({ embeddings: false });
  });
});

describe('the monthly budget', () => {
  it('compares spending and limits of active agents, and displays that of terminated ones separately', async () => {
    const companyId = await makeCompany('Spenders');
    await makeSpender(companyId, 'Active', 2_500);
    const gone = await makeSpender(companyId, 'Gone', 9_000);
    await must(board, `POST ${gone}/terminate`);
    visitor = await subject.enter();
    const { page } = visitor;
    await openPage(page, `/companies/${companyId}`);
    await page.getByText('$75.00 left of $100.00 this month').waitFor();
    await page.getByText('Terminated agents spent another $90.00.').waitFor();
    expect(await page.getByText('$25.00 spent').count()).toBe(1);
    await must(board, `POST /api/companies/${companyId}/agents`, { name: 'Free', role: 'tester' });
    await page.reload();
    await page.getByText('Not every agent has a limit').waitFor();
  });
});

describe('a budget that is used up', () => {
  it('says by how much, and is never a negative amount', async () => {
    const companyId = await makeCompany('Exceeders');
    const path = await makeSpender(companyId, 'Over', 9_000);
    await must(board, `PATCH ${path}`, { budget: { monthlyCents: 4_000 } });
    visitor = await subject.enter();
    const { page } = visitor;
    for (const where of ['runs', path.replace('/api/', '')]) {
      await openPage(page, `/companies/${companyId}/${where}`);
      await page.getByText('$50.00 over the $40.00 of this month').waitFor();
      expect(await page.getByText('-$').count()).toBe(0);
    }
  });
});

describe('the bar of a budget', () => {
  type Bar = { readonly part: number; readonly color: string };

  it('is the share of its limit, is as orange as its warning from 80 % and red once it is used up, and there is none without a limit', async () => {
    const companyId = await makeCompany('Measured');
    const budgets = { Low: 8_000, Near: 2_500, Over: 1_000, Free: null };
    const bars: Record<string, Bar | null> = {};
    const warnings: Record<string, string | null> = {};
    visitor = await subject.enter();
    const { page } = visitor;
    for (const [name, monthlyCents] of Object.entries(budgets)) {
      const path = await makeSpender(companyId, name, 2_000);
      await must(board, `PATCH ${path}`, { budget: { monthlyCents } });
      await openPage(page, `/companies/${companyId}/${path.replace('/api/', '')}`);
      await page.getByText('$20.00 spent').waitFor();
      const bar = page.locator('.mantine-Progress-section').first();
      bars[name] =
        (await bar.count()) === 0
          ? null
          : await bar.evaluate((part: HTMLElement) => ({
              part: Math.round(
                (100 * part.offsetWidth) / (part.parentElement?.offsetWidth ?? Number.NaN),
              ),
              color: getComputedStyle(part).backgroundColor,
            }));
      const warning = page.getByText(/budget is used/);
      warnings[name] =
        (await warning.count()) === 0
          ? null
          : await warning.evaluate((text) => getComputedStyle(text).color);
    }
    const colors = Object.values(bars).flatMap((bar) => bar?.color ?? []);
    expect(Object.values(bars).map((bar) => bar?.part)).toEqual([25, 80, 100, undefined]);
    expect(new Set(colors).size).toBe(3);
    expect(Object.values(warnings)).toEqual([null, bars['Near']?.color, bars['Over']?.color, null]);

    // What all of them spent is said for the day.
    await openPage(page, `/companies/${companyId}`);
    const today = page.getByRole('link', { name: 'spent today' }).locator('..');
    await today.getByText('$80.00', { exact: true }).waitFor();
  });
});

describe('what was spent today', () => {
  it('leads to the runs since the day of UTC began, wherever the browser is', async () => {
    const companyId = await makeCompany('Far west');
    visitor = await subject.enter(undefined, { timezoneId: 'Pacific/Honolulu' });
    const { page } = visitor;
    await openPage(page, `/companies/${companyId}`);
    const utcDay = new Date().toISOString().slice(0, 10);
    const dayBefore = new Date(Date.parse(utcDay) - 86_400_000).toISOString().slice(0, 10);
    const link = await page.getByRole('link', { name: 'spent today' }).getAttribute('href');
    expect(link).toContain(dayBefore);
  });
});

describe('the number of running runs', () => {
  it('is correct after any number of later runs, and the linked list has all of them', async () => {
    const companyId = await makeCompany('Runners');
    const path = await makeSpender(companyId, 'Busy', 0);
    const { key } = await must(board, `POST ${path}/keys`, { name: 'runner' });
    const self = createApi({ baseUrl: subject.system.baseUrl, headers: bearer(String(key)) });
    await must(self, `POST ${path}/runs`, {});
    for (let count = 0; count < 6; count += 1) {
      const { run } = (await must(self, `POST ${path}/runs`, {})) as {
        readonly run: { readonly id: string };
      };
      await must(self, `POST /api/runs/${run.id}/finish`, { status: 'succeeded', costCents: 0 });
    }
    visitor = await subject.enter();
    const { page } = visitor;
    const link = page.getByRole('link', { name: '1 running run', exact: true });
    await openPage(page, `/companies/${companyId}`);
    await link.locator('..').getByText('1', { exact: true }).waitFor();
    await link.click();
    await page.getByRole('heading', { name: 'Runs', level: 1 }).waitFor();
    await page.getByRole('button', { name: 'Cancel…' }).waitFor();
    expect(await page.getByRole('link', { name: 'Busy', exact: true }).count()).toBe(1);
    expect(await page.getByRole('row').count()).toBe(2);
  });
});

describe('what needs attention', () => {
  const problem = (status: number) => ({
    status,
    contentType: 'application/problem+json',
    body: JSON.stringify({ type: 'about:blank', title: 'Failure', status, detail: 'Try later.' }),
  });

  it('says what could not be looked at, and never then that nothing needs one', async () => {
    const companyId = await makeCompany('Unknown');
    await must(board, `PATCH ${await makeSpender(companyId, 'Used up', 100)}`, {
      budget: { monthlyCents: 100 },
    });
    visitor = await subject.enter();
    const { page } = visitor;
    const section = page.getByRole('region', { name: 'Needs attention' });
    await page.route('**/api/companies/*/agents?**', (route) => route.fulfill(problem(500)));
    await openPage(page, `/companies/${companyId}`);
    await section
      .getByText('Not everything could be looked at: agents could not be loaded.')
      .waitFor();
    expect(await section.getByText('Nothing needs you now.').count()).toBe(0);
    await page.unrouteAll({ behavior: 'wait' });
    await page.reload();
    await section.getByText(/Used up has used up its budget/).waitFor();
    expect(await section.getByText('Not everything').count()).toBe(0);
    await page.route('**/api/notes/proposals?**', (route) => route.fulfill(problem(500)));
    await page.route('**/api/companies/*/keys?**', (route) => route.fulfill(problem(500)));
    await page.reload();
    await section
      .getByText('Not everything could be looked at: keys and proposals could not be loaded.')
      .waitFor();
    await section.getByText(/Used up has used up its budget/).waitFor();
  });

  it('names every agent whose runs failed in one line, and has each failure with its reason once', async () => {
    const companyId = await makeCompany('Failing');
    const failed = { status: 'failed', costCents: 1 } as const;
    const reason = `Timeout while reading ${'long '.repeat(60)}page`;
    await makeRunner(
      companyId,
      'Fails',
      Array.from({ length: 7 }, () => failed),
    );
    await makeRunner(companyId, 'Failed once', [{ ...failed, reason }]);
    visitor = await subject.enter();
    const { page } = visitor;
    await openPage(page, `/companies/${companyId}`);
    const section = page.getByRole('region', { name: 'Needs attention' });
    const line = section.getByText(
      /^8 runs failed within a day, of Failed once and Fails \(7\)\.$/,
    );
    expect((await line.boundingBox())?.height).toBeLessThan(30);
    expect(await page.getByText('Timeout while').count()).toBe(1);
    const latest = page.locator('.panel', {
      has: page.getByRole('heading', { name: 'Latest failures' }),
    });
    expect(await latest.getByRole('link', { name: 'Fails' }).count()).toBe(4);
  });

  it('stays as it is while what is unavailable is tried again, and so do the figures', async () => {
    const companyId = await makeCompany('Unavailable');
    visitor = await subject.enter();
    const { page } = visitor;
    await page.route('**/api/companies/*/agents?**', (route) => route.fulfill(problem(503)));
    await openPage(page, `/companies/${companyId}`);
    await page.getByText('Not everything could be looked at: agents could not be').waitFor();
    await page.getByRole('main').getByRole('alert').first().waitFor();
    await page.getByText(/^None:/).waitFor();
    const seen = await page.evaluateHandle(() => {
      const states = new Set<string>();
      const look = () => {
        const text = document.querySelector('main')?.textContent ?? '';
        const alerts = [...document.querySelectorAll('main [role="alert"]')].filter(
          (alert) => alert.closest('.panel') === null,
        ).length;
        states.add(
          `${text.includes('Looking…')} ${text.includes('Not everything')} ${text.includes('None:')} ${alerts}`,
        );
      };
      look();
      new MutationObserver(look).observe(document.body, {
        childList: true,
        characterData: true,
        subtree: true,
      });
      return states;
    });
    await page.waitForRequest(/\/api\/companies\/[^/]+\/agents\?/);
    await page.waitForResponse(/\/api\/companies\/[^/]+\/agents\?/);
    expect(await seen.evaluate((states) => [...states])).toHaveLength(1);
  }, 60_000);
});

// Runs last: an operator of this many companies has to name one in every request.
describe('the runs', () => {
  it('are above the fold of a window of 1440 by 900, however many agents spend', async () => {
    const companyId = await makeCompany('Many spenders');
    const usedUp = await makeSpender(companyId, 'Used up', 100);
    await must(board, `PATCH ${usedUp}`, { budget: { monthlyCents: 100 } });
    for (let index = 1; index < 9; index += 1) {
      await makeSpender(companyId, `Spender ${index}`, 100 + index);
    }
    visitor = await subject.enter();
    const { page } = visitor;
    await page.setViewportSize({ width: 1440, height: 900 });
    await openPage(page, `/companies/${companyId}/runs`);
    const spenders = await page.getByRole('table').first().getByRole('rowheader').allInnerTexts();
    expect(spenders).toEqual(['Used up', 'Spender 8', 'Spender 7']);
    const runs = page.getByRole('table').last().locator('tbody tr');
    expect(await runs.count()).toBe(9);
    const bottoms = await runs.evaluateAll((rows) =>
      rows.map((row) => row.getBoundingClientRect().bottom),
    );
    expect(bottoms.filter((bottom) => bottom <= 900).length).toBeGreaterThanOrEqual(5);
    await page.getByRole('link', { name: 'All 9 agents with spending' }).click();
    await page.waitForURL(new RegExp(`/companies/${companyId}/agents$`));
  });
});

describe('an owner of more companies than a session lists', () => {
  it('is an owner in all of them', async () => {
    for (let count = 0; count < 200; count += 1) {
      await makeCompany(`Company ${String(count).padStart(3, '0')}`);
    }
    const last = await makeCompany('Zenith, the last by name');
    visitor = await subject.enter();
    const { page } = visitor;
    await openPage(page, `/companies/${last}/members`);
    await page.getByRole('button', { name: 'Invite', exact: true }).waitFor();
    await page.getByRole('link', { name: 'Settings', exact: true }).click();
    await page.getByRole('button', { name: /^Archive company/ }).waitFor();
    expect(await page.getByLabel('Name', { exact: true }).isEditable()).toBe(true);
  });
});

describe('the dashboard', () => {
  it.each([
    ['a wide window', { width: 1440, height: 900 }],
    ['a phone', { width: 390, height: 844 }],
  ])('moves little while it loads, also of a company without agents: %s', async (_, viewport) => {
    const companyId = await makeCompany('Beginners');
    visitor = await subject.enter();
    const { page } = visitor;
    await page.setViewportSize(viewport);
    await page.addInitScript(() => {
      // The dashboard waits for a second at most; on a busy machine that would be too short for what it waits for.
      const start = window.setTimeout.bind(window);
      const patient = (act: () => void, ms?: number) => (ms === 1_000 ? 0 : start(act, ms));
      Object.assign(window, { setTimeout: patient });
      const shifts: number[] = [];
      Object.assign(window, { shifts });
      new PerformanceObserver((list) => {
        for (const entry of list.getEntries()) {
          shifts.push((entry as PerformanceEntry & { readonly value: number }).value);
        }
      }).observe({ type: 'layout-shift', buffered: true });
    });
    await openPage(page, `/companies/${companyId}`);
    await page.getByText('This company has no agents yet.').waitFor();
    await page.getByText('Nothing needs you now.').waitFor();
    await page.getByText(/^0 changes; /).waitFor();
    const sum = await page.evaluate(() =>
      (window as unknown as { shifts: number[] }).shifts.reduce((all, each) => all + each, 0),
    );
    // What is called good; it was 0.16 in a wide window and 0.36 on a phone.
    expect(sum).toBeLessThan(0.1);
  });
});
