import { beforeAll, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { must } from '../tools/must.ts';
import { openPage } from '../tools/wait-until-idle.ts';
import { acmeConsole } from './support/acme-console.ts';
import { expectNoAxeViolations } from './support/axe.ts';
import { expectLargeTargets } from './support/targets.ts';

const { at, board, enter } = acmeConsole();

const dayMs = 86_400_000;

let boId: string;
beforeAll(async () => {
  const made = await must(board, `POST /api${at('/agents')}`, { name: 'Bo', role: 'editor' });
  boId = String(made['id']);
});

const makeKey = async (name: string, days: number | null = null): Promise<string> => {
  const expiresAt = days === null ? {} : { expiresAt: new Date(Date.now() + days * dayMs) };
  const made = await must(board, `POST /api/agents/${boId}/keys`, { name, ...expiresAt });
  return String(made['id']);
};

const rowOf = (page: Page, text: string | RegExp) =>
  page.getByRole('row').filter({ hasText: text });

const choose = async (page: Page, field: string, option: string): Promise<void> => {
  await page.getByRole('combobox', { name: field }).click();
  await page.getByRole('option', { name: option }).click();
};

describe('an agent whose last key has expired', () => {
  it('needs attention, in red, until it has another one', async () => {
    const { id } = await must(board, `POST /api${at('/agents')}`, { name: 'Dee', role: 'editor' });
    const expiresAt = new Date(Date.now() + 2_000);
    await must(board, `POST /api/agents/${String(id)}/keys`, { name: 'brief', expiresAt });
    const ended = `GET /api${at('/keys')}?agentId=${String(id)}&active=false`;
    while (((await must(board, ended))['items'] as readonly unknown[]).length === 0) {
      // It is about to expire.
    }
    const page = await enter();
    await openPage(page, at(''));
    const entry = page
      .getByRole('region', { name: 'Needs attention' })
      .getByRole('listitem')
      .filter({ hasText: 'Dee has no key any more: brief expired' });
    const badge = entry.getByText('wrong');
    await badge.waitFor();
    // Light, where the text of a red badge is more red than anything else.
    const colour = await badge.evaluate((label) => getComputedStyle(label).color);
    const [red = 0, green = 0, blue = 0] = colour.match(/\d+/g)?.map(Number) ?? [];
    expect(red).toBeGreaterThan(2 * Math.max(green, blue));
    await expectNoAxeViolations(page);
    await must(board, `POST /api/agents/${String(id)}/keys`, { name: 'new' });
    await entry.getByRole('link', { name: 'brief' }).click();
    await page.getByText('new', { exact: true }).first().waitFor();
    await page.getByRole('link', { name: 'Dashboard' }).click();
    await entry.waitFor({ state: 'detached' });
  });
});

describe('credentials that are about to expire', () => {
  it('all need attention, also beyond the first page of them', async () => {
    const { id } = await must(board, `POST /api${at('/agents')}`, { name: 'Eve', role: 'editor' });
    const page = await enter();
    const expiresAt = new Date(Date.now() + 5 * dayMs).toISOString();
    // An agent has ten keys at most: a company with so many of them is made up.
    const sample = await must(board, `POST /api/agents/${String(id)}/keys`, {
      name: 'sample',
      expiresAt,
    });
    const listed = { ...sample, agentId: String(id), revokedAt: null, replacedBy: null };
    await page.route(`**/api${at('/keys')}?*expiresBefore=*`, async (route) => {
      const isNext = new URL(route.request().url()).searchParams.has('cursor');
      const names = Array.from(
        { length: 60 },
        (_, index) => `${isNext ? 'late' : 'early'} ${index}`,
      );
      const items = names.map((name) => ({ ...listed, id: name, name }));
      await route.fulfill({ json: { items, nextCursor: isNext ? null : 'next' } });
    });
    await openPage(page, at(''));
    const attention = page.getByRole('region', { name: 'Needs attention' });
    await attention.getByRole('button', { name: /^Show \d+ more$/ }).click();
    await attention.getByRole('link', { name: 'late 59' }).waitFor();
    expect(await attention.getByText(/^(early|late) \d+$/).count()).toBe(120);
  });
});

describe('the credentials of a company', () => {
  it('are found by agent and by what is about to expire, and revoked there', async () => {
    await makeKey('crawler', 3);
    await makeKey('archive');
    const page = await enter();
    await openPage(page, at(''));
    await page.getByRole('link', { name: 'Credentials' }).click();
    await page.getByRole('heading', { name: 'Credentials' }).waitFor();
    await page.getByText('No active connections').waitFor();
    await rowOf(page, 'crawler').getByRole('link', { name: 'Bo' }).waitFor();
    await rowOf(page, 'archive').waitFor();
    await rowOf(page, 'Ada').first().waitFor();
    await choose(page, 'Agent', 'Bo');
    await page.waitForURL(new RegExp(`agent=${boId}`));
    await rowOf(page, 'Ada').first().waitFor({ state: 'detached' });
    await choose(page, 'Show', 'Expiring within 14 days');
    await rowOf(page, 'archive').waitFor({ state: 'detached' });
    await rowOf(page, 'crawler').waitFor();
    await expectNoAxeViolations(page);
    await expectLargeTargets(page);
    await page.setViewportSize({ width: 390, height: 780 });
    await rowOf(page, 'crawler')
      .getByText(/^in \d days/)
      .waitFor();
    await expectNoAxeViolations(page);
    await page.getByRole('button', { name: 'Revoke crawler' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke key' }).click();
    await page.getByText('The key crawler was revoked.').waitFor();
    await page.getByText('No such keys').waitFor();
    await choose(page, 'Show', 'Unused for 30 days');
    await page.waitForURL(/show=unused/);
    await page.getByText('No such keys').waitFor();
    await choose(page, 'Show', 'All, also revoked and expired');
    await rowOf(page, 'crawler').getByText('revoked').waitFor();
  });

  it('that nobody has used for 30 days are found', async () => {
    await makeKey('forgotten');
    const page = await enter();
    await openPage(page, at(`/credentials?agent=${boId}&show=unused`));
    await page.getByText('No such keys').waitFor();
    await page.clock.setFixedTime(Date.now() + 31 * dayMs);
    await openPage(page, at(`/credentials?agent=${boId}&show=unused`));
    await rowOf(page, 'forgotten').waitFor();
    expect(await page.getByText('No such keys').count()).toBe(0);
  });

  it('get a new key of an agent that is chosen there', async () => {
    const page = await enter();
    await openPage(page, at('/credentials'));
    await page.getByRole('button', { name: 'New key' }).click();
    const dialog = page.getByRole('dialog', { name: 'New key' });
    const agents = dialog.getByRole('combobox', { name: /^Agent/ });
    await agents.click();
    await page.getByRole('option', { name: 'Bo' }).click();
    await dialog.getByLabel('Name').fill('from the list');
    await expectNoAxeViolations(page);
    await page.route('**/api/agents/*/keys', (route) => route.abort(), { times: 1 });
    await dialog.getByRole('button', { name: 'Create key' }).click();
    await dialog.getByRole('alert').waitFor();
    expect(await agents.isEnabled()).toBe(true);
    await dialog.getByRole('button', { name: 'Create key' }).click();
    await dialog.getByLabel('API key', { exact: true }).waitFor();
    // The key is shown only once: another choice would take it away.
    expect(await agents.isEnabled()).toBe(false);
    await page.getByRole('button', { name: 'I have stored the key' }).click();
    await rowOf(page, 'from the list').getByRole('link', { name: 'Bo' }).waitFor();
  });

  it('say that a key needs an agent where there is none', async () => {
    const page = await enter();
    await page.route(`**/api${at('/agents')}?*`, (route) =>
      route.fulfill({ json: { items: [], nextCursor: null } }),
    );
    await openPage(page, at('/credentials'));
    await page.getByRole('button', { name: 'New key' }).click();
    const dialog = page.getByRole('dialog', { name: 'New key' });
    await dialog.getByText('A key belongs to an agent, and there is none yet.').waitFor();
    expect(await dialog.getByRole('combobox').count()).toBe(0);
    await expectNoAxeViolations(page);
  });

  it('distinguishes two keys of one name after a rotation', async () => {
    const id = await makeKey('deploy');
    const path = `/api/agents/${boId}/keys/${id}/rotate`;
    const made = await must(board, `POST ${path}`, { overlapSeconds: 86_400 });
    const prefix = String(made['prefix']);
    const page = await enter();
    for (const section of [`/credentials?agent=${boId}`, `/agents/${boId}?tab=keys`]) {
      await openPage(page, at(section));
      const old = rowOf(page, `replaced by ${prefix}…`);
      await old.waitFor();
      expect(await old.count()).toBe(1);
      await page.getByRole('button', { name: `Revoke deploy (${prefix}…)` }).waitFor();
      expect(await page.getByRole('button', { name: 'Revoke deploy (' }).count()).toBe(2);
      // The one that was replaced is not rotated again.
      await page.getByRole('button', { name: `Rotate deploy (${prefix}…)` }).waitFor();
      expect(await page.getByRole('button', { name: 'Rotate deploy (' }).count()).toBe(1);
      // The actions stand in one line: the row is as high as its name, its start and what replaced
      // it.
      expect((await old.boundingBox())?.height).toBeLessThan(100);
    }
    // The overview of the agent distinguishes them, too.
    await openPage(page, at(`/agents/${boId}`));
    await page.getByText(`deploy (${prefix}…)`, { exact: true }).waitFor();
    await page.getByText(`replaced by ${prefix}…, ends in 24 hours`).waitFor();
    expect(await page.getByText(/^deploy/).count()).toBe(2);
    await expectNoAxeViolations(page);
    await openPage(page, at(`/agents/${boId}?tab=keys`));
    // Revoking the newer one would leave the one that it replaced: the dialog says so and takes
    // both.
    await page.getByRole('button', { name: `Revoke deploy (${prefix}…)` }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText(/^The key that it replaced, deploy .* is still valid\. /).waitFor();
    await dialog.getByText('It was never used.').waitFor();
    await expectNoAxeViolations(page);
    await dialog.getByRole('checkbox', { name: 'Revoke that key as well' }).uncheck();
    await dialog.getByRole('button', { name: 'Revoke key', exact: true }).waitFor();
    await dialog.getByRole('checkbox', { name: 'Revoke that key as well' }).check();
    await dialog.getByRole('button', { name: 'Revoke 2 keys' }).click();
    await dialog.waitFor({ state: 'detached' });
    const { items } = (await must(board, `GET /api/agents/${boId}/keys`)) as {
      readonly items: readonly { readonly name: string; readonly revokedAt: string | null }[];
    };
    const ended = items.filter(({ name }) => name === 'deploy').map(({ revokedAt }) => revokedAt);
    expect(ended.map((at) => at !== null)).toEqual([true, true]);
  });
});
