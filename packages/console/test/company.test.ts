import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { inviteMember, memberPassword } from '@commonplace/e2e';
import type { Page } from 'playwright-core';
import { openPage } from '../tools/wait-until-idle.ts';
import { expectNoAxeViolations } from './support/axe.ts';
import type { Visitor } from './support/browser.ts';
import { emailOf, startConsole, type ConsoleUnderTest } from './support/start-console.ts';

let subject: ConsoleUnderTest;
let visitor: Visitor;
beforeAll(async () => {
  subject = await startConsole();
}, 120_000);
afterEach(() => visitor.close());
afterAll(() => subject.stop());

const company = (): string => `/companies/${subject.world.acme.companyId}`;

describe('a member', () => {
  it('is invited by a link, accepts, gets another role, and is removed', async () => {
    visitor = await subject.enter();
    const { page } = visitor;
    await page.goto(`${company()}/members`);
    await page.getByRole('button', { name: 'Invite', exact: true }).click();
    await page.getByRole('dialog').getByLabel('Email').fill(emailOf('nora'));
    await page.getByRole('button', { name: 'Create invite' }).click();
    const link = await page.getByLabel('Invite link', { exact: true }).innerText();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'I have stored the link' }).click();
    await page.getByRole('rowheader', { name: emailOf('nora'), exact: true }).waitFor();

    const guest = await subject.visit();
    await guest.page.goto(link);
    await guest.page.getByLabel('Name', { exact: true }).fill('Nora');
    await guest.page.getByLabel('Password', { exact: true }).fill(memberPassword);
    await guest.page.getByRole('button', { name: 'Create account and join' }).click();
    await guest.page.getByRole('heading', { name: 'Dashboard' }).waitFor();

    await page.reload();
    const role = page.getByRole('combobox', { name: 'Role of Nora' });
    await role.click();
    await page.getByRole('option', { name: 'viewer' }).click();
    await page.getByRole('button', { name: 'Change to viewer' }).click();
    await page.getByText('Nora is viewer now.').waitFor();
    await page.waitForFunction(
      () =>
        document.querySelector<HTMLInputElement>('[aria-label="Role of Nora"]')?.value === 'viewer',
    );
    await guest.page.goto(`${company()}/agents`);
    await guest.page.getByRole('link', { name: 'Ada' }).waitFor();
    expect(await guest.page.getByRole('button', { name: 'New agent' }).count()).toBe(0);

    await page.getByRole('button', { name: 'Folders of Nora' }).click();
    const form = page.getByRole('dialog');
    await form.getByRole('combobox', { name: 'Nora reaches' }).click();
    await page.getByRole('option', { name: 'only some folders' }).click();
    await form.getByRole('button', { name: 'Save' }).click();
    await form.getByText('Name at least one folder.').waitFor();
    await form.getByLabel('Folders', { exact: true }).fill('sales, 2026');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Tab');
    await expectNoAxeViolations(page);
    await form.getByRole('button', { name: 'Save' }).click();
    await page.getByText('sales, 2026 (read only)', { exact: true }).waitFor();
    const asGuest = await guest.page.request.get(`/api${company()}/members`);
    expect((await asGuest.json()) as object).toMatchObject({
      items: expect.arrayContaining([
        expect.objectContaining({
          name: 'Nora',
          grants: [{ folder: 'sales, 2026', scope: 'read', mode: 'direct' }],
        }),
      ]),
    });

    // The folders of the viewer are not written below others, who reach all notes.
    await guest.page.goto(`${company()}/members`);
    await guest.page.getByRole('row', { name: /Nora/ }).getByText('(read only)').waitFor();
    expect(await guest.page.getByText('(read only)').count()).toBe(1);

    await page.getByRole('button', { name: 'Remove Nora' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Remove member' }).click();
    await role.waitFor({ state: 'detached' });
    await page.getByText('Nora removed.').waitFor();
    await guest.close();
  });

  it('cannot leave as the last owner, and the page says why', async () => {
    visitor = await subject.enter();
    const { page } = visitor;
    await page.goto(`${company()}/members`);
    await page.getByRole('button', { name: 'Leave' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Leave company' }).click();
    expect(await page.getByRole('alert').innerText()).toMatch(/owner/i);
  });
});

describe('an invite of a viewer', () => {
  it('may name the folders that it reaches', async () => {
    visitor = await subject.enter();
    const { page } = visitor;
    await page.goto(`${company()}/members`);
    await page.getByRole('button', { name: 'Invite', exact: true }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Email').fill('vera@example.org');
    await dialog.getByRole('combobox', { name: 'Role' }).click();
    await page.getByRole('option', { name: /^Viewer/ }).click();
    await dialog.getByRole('combobox', { name: 'Reaches' }).click();
    await page.getByRole('option', { name: 'only some folders' }).click();
    await dialog.getByRole('button', { name: 'Create invite' }).click();
    await dialog.getByText('Name at least one folder.').waitFor();
    await dialog.getByLabel('Folders').fill('sales');
    await dialog.getByLabel('Folders').press('Enter');
    // The list of folders is above the button.
    await dialog.getByLabel('Folders').press('Tab');
    await dialog.getByRole('button', { name: 'Create invite' }).click();
    await dialog.getByLabel('Invite link', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'I have stored the link' }).click();
    const row = page.getByRole('row', { name: /vera@example\.org/ });
    await row.waitFor();
    expect(await row.innerText()).toContain('sales (read only)');
  });
});

describe('an invite', () => {
  it('is withdrawn after a confirmation, and a message says so', async () => {
    visitor = await subject.enter();
    const { page } = visitor;
    const asBoard = subject.system.as(await subject.system.boardHeaders());
    await asBoard('POST', `/api${company()}/invites`, {
      body: { email: 'otto@example.org', role: 'viewer' },
    });
    await page.goto(`${company()}/members`);
    const withdraw = page.getByRole('button', { name: 'Withdraw the invite of otto@example.org' });
    await withdraw.click();
    const dialog = page.getByRole('dialog', { name: 'Withdraw the invite of otto@example.org?' });
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await dialog.waitFor({ state: 'detached' });
    await withdraw.click();
    await dialog.getByRole('button', { name: 'Withdraw invite' }).click();
    await withdraw.waitFor({ state: 'detached' });
    await page.getByText('The invite of otto@example.org was withdrawn.').waitFor();
    expect(await page.getByRole('main').getByRole('alert').count()).toBe(0);
  });
});

describe('the activity', () => {
  it('is filtered in the address', async () => {
    visitor = await subject.enter();
    const { page } = visitor;
    await page.goto(`${company()}/activity`);
    await page.getByRole('combobox', { name: 'Action' }).click();
    await page.getByRole('option', { name: 'Key created' }).click();
    await page.waitForURL('**/activity?action=key.created');
    await page.getByRole('cell', { name: 'Agent created' }).waitFor({ state: 'detached' });
    await page.getByRole('cell', { name: /Key created/ }).waitFor();
    await page.reload();
    expect(await page.getByRole('cell', { name: /Key created/ }).innerText()).toContain('matrix');
    await page.getByRole('textbox', { name: 'Entity ID' }).fill('abc');
    await page.getByText('Nothing that was listed has this ID. All entities are shown.').waitFor();
    await expectNoAxeViolations(page);
    await page.getByRole('textbox', { name: 'Entity ID' }).fill(subject.world.zenith.agentId);
    await page.getByText('No activity').waitFor();
    expect(await page.getByText('Nothing that was listed').count()).toBe(0);
  });

  it('is filtered by the end of an id that a row shows', async () => {
    visitor = await subject.enter();
    const { page } = visitor;
    await openPage(page, `${company()}/activity`);
    const run = page.getByRole('link', { name: /^Run [0-9a-f]{8}$/ }).first();
    const [end, id] = [await run.innerText(), await run.getAttribute('title')];
    const created = page.getByRole('cell', { name: 'Agent created' });
    await created.waitFor();
    await page.getByRole('textbox', { name: 'Entity ID' }).fill(end);
    await page.waitForURL(`**/activity?entityId=${id}`);
    await created.waitFor({ state: 'detached' });
    await page.getByRole('cell', { name: 'Run started' }).waitFor();
    expect(await page.getByRole('textbox', { name: 'Entity ID' }).inputValue()).toBe(id);
  });

  it('is divided by day, and filtered by days that are in the address', async () => {
    visitor = await subject.enter();
    const { page } = visitor;
    await openPage(page, `${company()}/activity`);
    const day = page.getByRole('rowheader').first();
    const today = await page.evaluate(() => {
      const now = new Date();
      const [month, date] = [now.getMonth() + 1, now.getDate()].map((part) => `${part}`);
      return {
        label: new Intl.DateTimeFormat(undefined, { dateStyle: 'full' }).format(now),
        value: `${now.getFullYear()}-${month?.padStart(2, '0')}-${date?.padStart(2, '0')}`,
      };
    });
    expect(await day.innerText()).toBe(today.label);
    await page.getByLabel('Until').fill('2020-01-31');
    await page.waitForURL('**/activity?to=2020-01-31');
    await page.getByText('No activity').waitFor();
    await page.getByLabel('Until').fill(today.value);
    await page.getByLabel('From').fill(today.value);
    await page.waitForURL(/from=/);
    await day.waitFor();
    await page.reload();
    await day.waitFor();
    expect(await page.getByLabel('From').inputValue()).toBe(today.value);
    await page.getByLabel('From').fill('2999-12-31');
    await page.getByText('No activity').waitFor();
    await page.getByText('This is before the first day.').waitFor();
  });
});

describe('the company switcher', () => {
  const switcherOf = (page: Page) => page.getByRole('combobox', { name: 'Company', exact: true });

  it('ends with a new company for administrators, and nobody else', async () => {
    visitor = await subject.enter();
    const { page } = visitor;
    await page.goto(`${company()}/agents`);
    await switcherOf(page).click();
    await page.getByRole('option', { name: /^Zenith/ }).waitFor();
    const options = await page.getByRole('option').allInnerTexts();
    expect(options.at(-1)).toBe('New company…');
    await page.getByRole('option', { name: 'New company…' }).click();
    await page.waitForURL('**/companies/new');
    await page.getByRole('heading', { name: 'Create a company' }).waitFor();
    expect(await switcherOf(page).inputValue()).not.toBe('New company…');
    const { system, world } = subject;
    const email = emailOf('walt');
    const asBoard = system.as(await system.boardHeaders());
    await inviteMember(asBoard, world.acme, { baseUrl: system.baseUrl, email, role: 'operator' });
    const other = await subject.enter({ email, password: memberPassword });
    await other.page.goto(`${company()}/agents`);
    await switcherOf(other.page).click();
    await other.page.getByRole('option', { name: /^Acme/ }).waitFor();
    expect(await other.page.getByRole('option').count()).toBe(1);
    await other.close();
  });
});

describe('a search', () => {
  it.each([['agents'], ['notes']])(
    'stays with its company, and follows Back, among the %s',
    async (section) => {
      visitor = await subject.enter();
      const { page } = visitor;
      await page.goto(`${company()}/${section}`);
      const search = page.getByRole('textbox', { name: 'Search' });
      await search.fill('first search');
      await page.waitForURL(/q=first/);
      await page.getByRole('combobox', { name: 'Company', exact: true }).click();
      await page.getByRole('option', { name: /^Zenith/ }).click();
      await page.waitForURL(`**/companies/${subject.world.zenith.companyId}/${section}`);
      await page.waitForFunction(
        () => document.querySelector<HTMLInputElement>('main input[placeholder]')?.value === '',
      );
      await page.goBack();
      await page.waitForURL(/q=first/);
      await page.waitForFunction(
        () =>
          document.querySelector<HTMLInputElement>('main input[placeholder]')?.value ===
          'first search',
      );
      expect(await search.inputValue()).toBe('first search');
    },
  );
});

describe('the company settings', () => {
  it('rename, archive after a confirmation, and restore', async () => {
    visitor = await subject.enter();
    const { page } = visitor;
    await page.goto(`/companies/${subject.world.zenith.companyId}/settings`);
    await page.getByLabel('Name', { exact: true }).fill('Zenith Labs');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('Company renamed.').waitFor();
    await page.getByRole('button', { name: /^Archive/ }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Archive company' }).click();
    await page.getByText('This company is archived').waitFor();
    await page.getByRole('link', { name: 'Dashboard', exact: true }).click();
    await page.getByText(/^None:.*terminated agents/).waitFor();
    expect(await page.getByRole('link', { name: /active agents?$/ }).count()).toBe(0);
    await page.getByRole('link', { name: 'Settings', exact: true }).click();
    await page.getByRole('button', { name: 'Restore company' }).click();
    await page.getByText('This company is archived').waitFor({ state: 'detached' });
    expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe('Zenith Labs');
  });

  it('set the currency in which amounts are shown and entered', async () => {
    visitor = await subject.enter();
    const { page } = visitor;
    const company = `/companies/${subject.world.acme.companyId}`;
    await page.goto(`${company}/settings`);
    await page.getByRole('combobox', { name: 'Currency' }).click();
    await page.getByRole('combobox', { name: 'Currency' }).fill('JPY');
    await page.getByRole('option', { name: /^JPY/ }).click();
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('Currency changed.').waitFor();
    await page.goto(`${company}/agents/${subject.world.acme.agentId}`);
    await page.getByRole('button', { name: 'Edit', exact: true }).click();
    const budget = page.getByRole('dialog').getByLabel('Monthly budget');
    await page.getByText('In JPY. Leave empty for no limit.').waitFor();
    await budget.fill('99.50');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('Enter an amount such as 120, or').waitFor();
    await budget.fill('5000');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText(/¥[45],\d{3} left of ¥5,000 this month/).waitFor();
    const asBoard = subject.system.as(await subject.system.boardHeaders());
    const agent = await asBoard('GET', `/api/agents/${subject.world.acme.agentId}`);
    expect(agent.body).toMatchObject({ budget: { monthlyCents: 5_000 } });
  });

  it('say who decides about proposals, and an owner changes it', async () => {
    visitor = await subject.enter();
    const { page } = visitor;
    const path = `/companies/${subject.world.acme.companyId}`;
    await page.goto(`${path}/settings`);
    const deciders = page.getByRole('combobox', { name: 'Who decides about proposals' });
    await deciders.waitFor();
    expect(await deciders.inputValue()).toBe('Operators and owners');
    await page.getByText(/no agent decides about its own proposals\.$/).waitFor();
    const save = page.getByRole('button', { name: 'Save who decides' });
    expect(await save.isDisabled()).toBe(true);
    await deciders.click();
    await page.getByRole('option', { name: 'Operators, owners and agents' }).click();
    await save.click();
    await page.getByText('Who decides about proposals changed.').waitFor();
    await page.reload();
    await deciders.waitFor();
    expect(await deciders.inputValue()).toBe('Operators, owners and agents');
    await expectNoAxeViolations(page);
    const asBoard = subject.system.as(await subject.system.boardHeaders());
    const company = await asBoard('GET', `/api${path}`);
    expect(company.body).toMatchObject({ proposalsDecidedBy: 'agents' });
    await asBoard('PATCH', `/api${path}`, { body: { proposalsDecidedBy: 'operators' } });
  });
});
