import { describe, expect, it } from '@jest/globals';
import { must } from '../tools/must.ts';
import { openPage } from '../tools/wait-until-idle.ts';
import { acmeConsole } from './support/acme-console.ts';
import { sendHeld } from './support/send-held.ts';

const { at, board, enter } = acmeConsole();

describe('a form that is being saved', () => {
  it('cannot be changed until it is', async () => {
    const page = await enter();
    await openPage(page, at('/settings'));
    const name = page.getByLabel('Name', { exact: true });
    const before = await name.inputValue();
    await name.fill('Renamed');
    const release = await sendHeld(page, `**/api${at('')}`, () => name.press('Enter'));
    await name.and(page.locator(':disabled')).waitFor();
    await page.keyboard.type(' and more');
    expect(await name.inputValue()).toBe('Renamed');
    expect(await page.getByLabel('Monthly budget of the company').isEnabled()).toBe(true);
    release();
    await page.getByText('Company renamed.').waitFor();
    await must(board, `PATCH /api${at('')}`, { name: before });
  });

  it('of a dialog goes on with what was typed, if it is refused', async () => {
    const page = await enter();
    await openPage(page, at('/agents'));
    await page.getByRole('button', { name: 'New agent' }).click();
    const form = page.getByRole('dialog');
    await form.getByLabel('Name').fill('Held');
    const role = form.getByLabel('Role');
    await role.fill('worker');
    await page.route(`**/api${at('/agents')}`, (route) =>
      route.request().method() === 'GET' ? route.fallback() : route.abort(),
    );
    await role.press('Enter');
    await form.getByRole('alert').waitFor();
    expect(await role.isEnabled()).toBe(true);
    expect(await role.inputValue()).toBe('worker');
    await page.keyboard.type(' of all');
    expect(await role.inputValue()).toBe('worker of all');
  });
});

describe('a setting that is saved', () => {
  it('is shown as it was saved, also where loading it again fails', async () => {
    const page = await enter();
    await openPage(page, at('/settings'));
    const name = page.getByLabel('Name', { exact: true });
    const before = await name.inputValue();
    await page.route(`**/api${at('')}`, (route) =>
      route.request().method() === 'GET' ? route.abort() : route.fallback(),
    );
    await name.fill('Saved all the same');
    await name.press('Enter');
    await page.getByText('Company renamed.').waitFor();
    const save = page.getByRole('button', { name: 'Save', exact: true });
    await save.and(page.locator(':disabled:not([data-loading])')).waitFor();
    expect(await name.inputValue()).toBe('Saved all the same');
    await page.unrouteAll();
    await must(board, `PATCH /api${at('')}`, { name: before });
  });
});

describe('a setting that is being edited', () => {
  it('stays when others change another one, which is shown', async () => {
    const page = await enter();
    await openPage(page, at('/settings'));
    const name = page.getByLabel('Name', { exact: true });
    const before = await name.inputValue();
    const tokens = page.getByLabel('Monthly tokens of the company');
    await name.fill('Half a na');
    await page.getByLabel('Monthly budget of the company').fill('12');
    await must(board, `PATCH /api${at('')}`, {
      currency: 'JPY',
      budget: { monthlyTokens: 4_000_000 },
    });
    await page.getByRole('combobox', { name: 'Who decides about proposals' }).click();
    await page.getByRole('option', { name: 'Operators, owners and agents' }).click();
    await page.getByRole('button', { name: 'Save who decides' }).click();
    await page.getByText('In JPY, for all agents together').waitFor();
    expect(await name.inputValue()).toBe('Half a na');
    expect(await page.getByLabel('Monthly budget of the company').inputValue()).toBe('12');
    expect(await tokens.inputValue()).toBe('4000000');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('Company renamed.').waitFor();
    const { name: renamed, currency } = await must(board, `GET /api${at('')}`);
    expect({ renamed, currency }).toEqual({ renamed: 'Half a na', currency: 'JPY' });
    await must(board, `PATCH /api${at('')}`, {
      name: before,
      currency: 'USD',
      budget: { monthlyTokens: null },
      proposalsDecidedBy: 'operators',
    });
  });

  it('is as the server has it once it is saved', async () => {
    const page = await enter();
    await openPage(page, at('/settings'));
    const budget = page.getByLabel('Monthly budget of the company');
    await budget.fill('1,500');
    const save = page.getByRole('button', { name: 'Save budget' });
    await save.click();
    await page.getByText('Budget changed.').waitFor();
    await page.waitForFunction(() => !document.body.innerHTML.includes('value="1,500"'));
    await save.and(page.locator(':disabled:not([data-loading])')).waitFor();
    expect(Number(await budget.inputValue())).toBe(1500);
    await must(board, `PATCH /api${at('')}`, { budget: { monthlyCents: null } });
  });
});
