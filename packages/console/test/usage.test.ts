import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { openPage } from '../tools/wait-until-idle.ts';
import { createDemoData, type DemoData } from '../tools/demo-data.ts';
import { expectNoAxeViolations } from './support/axe.ts';
import type { Visitor } from './support/browser.ts';
import { startEmptyConsole, type EmptyConsole } from './support/start-console.ts';

let subject: EmptyConsole;
let demo: DemoData;
let visitor: Visitor;
beforeAll(async () => {
  subject = await startEmptyConsole();
  const { system } = subject;
  demo = await createDemoData(system.baseUrl, system.as(await system.boardHeaders()));
}, 180_000);
afterEach(() => visitor.close());
afterAll(() => subject.stop());

/** Other sections of the dashboard have links of that name, and each loads by itself. */
const latestFailure = (page: Page) =>
  page
    .locator('.panel', { has: page.getByRole('heading', { name: 'Latest failures' }) })
    .getByRole('link', { name: 'Cy' })
    .first();

const today = (): string => new Date().toISOString().slice(0, 10);

describe('the dashboard', () => {
  it('shows spending, outcomes and changed notes by day, each also as a table', async () => {
    visitor = await subject.enter();
    const { page } = visitor;
    await openPage(page, demo.company);
    await page.getByRole('img', { name: /^\$1,729\.70 in 30 days; / }).waitFor();
    await page
      .getByRole('img', { name: '4 succeeded, 1 failed, 0 cancelled, 0 expired' })
      .waitFor();
    await page
      .getByRole('img', {
        name: /^\d+ changes; a note that changed several times in a day counts once/,
      })
      .waitFor();
    for (const noun of ['paused agent', 'terminated agent', 'unresolved conflict']) {
      await page.getByRole('link', { name: `1 ${noun}`, exact: true }).waitFor();
    }
    await page.getByRole('row', { name: /^Di The budget is used up\. \$400\.00/ }).waitFor();
    const unresolved = page.getByRole('listitem').filter({ hasText: 'could not be merged' });
    await unresolved.first().getByText('waiting', { exact: true }).waitFor();
    await page.getByText('Budgets of the agents together').waitFor();
    await page.getByRole('button', { name: 'Runs by outcome as a table' }).click();
    const row = page.getByRole('row', { name: new RegExp(`^${today()} 4 1 0 0$`) });
    await row.waitFor();
    await page.getByRole('button', { name: 'Spending by day as a table' }).click();
    await page.getByRole('row', { name: `${today()} $1,729.70` }).waitFor();
    await expectNoAxeViolations(page);
    await openPage(page, `${demo.company}/agents`);
    const spent = page.getByRole('row', { name: /^Di / }).getByText('$400.00').first();
    await page.getByRole('row', { name: /^Di .* the budget is used up/ }).waitFor();
    const failed = await page.evaluate(() =>
      getComputedStyle(document.documentElement).getPropertyValue('--console-chart-failed'),
    );
    expect(failed).not.toBe('');
    expect(await spent.evaluate((element) => getComputedStyle(element).color)).not.toBe(
      await page
        .getByRole('row', { name: /^Di / })
        .getByText(' / ')
        .evaluate((element) => getComputedStyle(element).color),
    );
  });

  it('has the limit beside its line, and days at even distances', async () => {
    visitor = await subject.enter();
    const { page } = visitor;
    await openPage(page, demo.company);
    const chart = page.getByRole('img', { name: /^\$1,729\.70 in 30 days; / });
    const text = chart.getByText('$191.67', { exact: true });
    const limit = await text.boundingBox();
    const line = await text.locator('..').boundingBox();
    const distance = (line?.y ?? 0) - ((limit?.y ?? 0) + (limit?.height ?? 0));
    expect(distance).toBeGreaterThanOrEqual(0);
    expect(distance).toBeLessThanOrEqual(12);
    const chartTop = (await chart.boundingBox())?.y ?? 0;
    expect(limit?.y).toBeGreaterThanOrEqual(chartTop);
    const places = await chart.getByText(/^[A-Z][a-z]{2} \d+$/).evaluateAll((days) =>
      days.map((day) => {
        const { left, right } = day.getBoundingClientRect();
        return (left + right) / 2;
      }),
    );
    const gaps = places.slice(1).map((place, index) => Math.round(place - (places[index] ?? 0)));
    expect(gaps.length).toBeGreaterThanOrEqual(3);
    expect(Math.max(...gaps) - Math.min(...gaps)).toBeLessThanOrEqual(1);
  });

  it('has its range in the address, also a custom one', async () => {
    visitor = await subject.enter();
    const { page } = visitor;
    await openPage(page, demo.company);
    const range = page.getByRole('combobox', { name: 'Range' });
    await range.click();
    await page.getByRole('option').first().waitFor();
    expect((await page.getByRole('option').allInnerTexts()).map((text) => text.trim())).toEqual([
      'Last 7 days',
      'Last 30 days',
      'Last 90 days',
      'Last 365 days',
      'This month',
      'Last month',
      'Custom',
    ]);
    await page.getByRole('option', { name: 'Last 365 days' }).click();
    await page.getByRole('img', { name: /^\$1,729\.70 in 365 days; / }).waitFor();
    await openPage(page, `${demo.company}?range=7`);
    expect(await range.inputValue()).toBe('Last 7 days');
    await page.getByRole('img', { name: /^\$1,729\.70 in 7 days; / }).waitFor();
    await page.getByRole('combobox', { name: 'Range' }).click();
    await page.getByRole('option', { name: 'Custom' }).click();
    await page.getByLabel('To', { exact: true }).fill('2026-01-31');
    await page.getByLabel('From', { exact: true }).fill('2026-01-01');
    await page.waitForURL(/range=custom.*from=2026-01-01.*to=2026-01-31/);
    await page.getByRole('img', { name: /^\$0\.00 in 31 days; / }).waitFor();
    await page.getByText('No run has ended in this range.').waitFor();
    await page.getByRole('status').getByText('Jan 1 – 31, 2026, UTC days as in budgets').waitFor();
    // No box without a bar.
    await page.getByText('Nothing in these days.').first().waitFor();
    await page.reload();
    expect(await page.getByLabel('From', { exact: true }).inputValue()).toBe('2026-01-01');
  });

  it('goes on to the next day while it stays open', async () => {
    visitor = await subject.enter();
    const { page } = visitor;
    await page.clock.install({ time: `${today()}T23:59:30Z` });
    await openPage(page, demo.company);
    await page.getByRole('img', { name: /in 30 days; / }).waitFor();
    const tomorrow = new Date(Date.parse(today()) + 86_400_000).toISOString().slice(0, 10);
    const next = page.waitForRequest((request) =>
      new RegExp(`/usage\\?.*to=${tomorrow}`).test(request.url()),
    );
    await page.clock.fastForward('02:00');
    expect((await next).method()).toBe('GET');
  });

  it('says what is wrong with a range that the API does not take', async () => {
    visitor = await subject.enter();
    const { page } = visitor;
    await openPage(page, `${demo.company}?range=custom&from=2026-02-01&to=2026-01-01`);
    await page.getByText('must not be before “From”').first().waitFor();
    expect(await page.getByRole('heading', { name: 'Dashboard' }).count()).toBe(1);
  });

  it('saves usage by agent as CSV', async () => {
    visitor = await subject.enter();
    const { page } = visitor;
    await openPage(page, demo.company);
    const downloading = page.waitForEvent('download');
    await page.getByRole('link', { name: 'Usage by agent as CSV' }).click();
    const download = await downloading;
    expect(download.suggestedFilename()).toMatch(/^usage-by-agent-.*\.csv$/);
    const chunks: Buffer[] = [];
    for await (const chunk of await download.createReadStream()) {
      chunks.push(chunk as Buffer);
    }
    const lines = Buffer.concat(chunks).toString().trimEnd().split('\r\n');
    expect(lines[0]).toBe(
      'agent_id,agent,monthly_budget_cents,succeeded,failed,cancelled,expired,cost_cents,input_tokens,output_tokens,reports',
    );
    expect(lines[1]).toMatch(/,Cy,120000,1,1,0,0,75780,330000,13000,2$/);
    expect(lines).toHaveLength(5);
  });

  it('links to the page of the latest failure, which says why it failed and what it wrote', async () => {
    visitor = await subject.enter();
    const { page } = visitor;
    await openPage(page, demo.company);
    await latestFailure(page).click();
    await page.getByRole('heading', { name: 'Run of Cy' }).waitFor();
    await page.getByText('The robot arm lost its calibration').waitFor();
    await page.getByRole('link', { name: 'Calibration log' }).waitFor();
    await page.getByRole('cell', { name: /Run token renewed/ }).waitFor();
    await page.getByRole('cell', { name: /Run finished/ }).waitFor();
    // It has ended: there is nothing to stop.
    expect(await page.getByRole('button', { name: /^Stop and undo/ }).count()).toBe(0);
    await page.getByRole('button', { name: 'Undo what this run wrote', exact: true }).click();
    const dialog = page.getByRole('dialog', { name: 'Undo what this run wrote', exact: true });
    await dialog.getByRole('button', { name: 'Pause it and show the notes' }).waitFor();
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await dialog.waitFor({ state: 'detached' });
    await expectNoAxeViolations(page);
  });
});

describe('budgets in tokens, and what runs reported', () => {
  it('are set for the company, warn at 80 %, and show usage by model and the reports of a run', async () => {
    visitor = await subject.enter();
    const { page } = visitor;
    await openPage(page, `${demo.company}/settings`);
    await page.getByLabel('Monthly tokens of the company').fill('4.5');
    await page.getByRole('button', { name: 'Save budget' }).click();
    await page.getByText('Enter a whole number such as 5000000').waitFor();
    await page.getByLabel('Monthly tokens of the company').fill('400000');
    await page.getByRole('button', { name: 'Save budget' }).click();
    await page.getByText('57,000 left of 400,000 this month').waitFor();
    // Without the notification, which has a button of the library.
    await page.reload();
    await page.getByText('80 % or more of the budget is used.').waitFor();
    await expectNoAxeViolations(page);

    await openPage(page, demo.company);
    await page.getByRole('row', { name: /^large.* \$120\.00 240,000 9,000$/ }).waitFor();
    await page.getByRole('row', { name: /^small.* \$30\.00 90,000 4,000$/ }).waitFor();
    await page.getByText('Budget of the company').waitFor();
    await expectNoAxeViolations(page);

    await latestFailure(page).click();
    await page.getByRole('heading', { name: 'What it used' }).waitFor();
    await page.getByText('$150.00, 330,000 tokens in, 13,000 out').waitFor();
    await page.getByRole('row', { name: /large \$120\.00 240,000 9,000 booked$/ }).waitFor();
    await expectNoAxeViolations(page);

    await openPage(page, `${demo.company}/activity?action=budget.warned`);
    await page.getByRole('cell', { name: '80 % or more of a budget used' }).first().waitFor();
  });
});

describe('the runs', () => {
  it('are filtered by agent, outcome and day in the address', async () => {
    visitor = await subject.enter();
    const { page } = visitor;
    await openPage(page, `${demo.company}/runs`);
    await page.getByRole('combobox', { name: 'Agent' }).click();
    await page.getByRole('option', { name: 'Cy' }).click();
    await page.waitForURL(/agent=/);
    const rows = page.getByRole('row').filter({ has: page.getByRole('link', { name: /^Run / }) });
    await rows.nth(2).waitFor({ state: 'detached' });
    // Between the lists there is a moment with neither.
    await rows.nth(1).waitFor();
    expect(await rows.count()).toBe(2);
    await page.getByRole('combobox', { name: 'Outcome' }).click();
    await page.getByRole('option', { name: 'failed' }).click();
    await rows.nth(1).waitFor({ state: 'detached' });
    await page.getByLabel('Started until').fill('2026-01-31');
    await page.getByRole('heading', { name: 'No matching runs' }).waitFor();
    await page.getByLabel('Started until').fill('');
    await rows.first().waitFor();
    await page.reload();
    await rows.first().getByRole('link', { name: /^Run / }).click();
    await page.getByRole('heading', { name: 'Run of Cy' }).waitFor();
  });
});
