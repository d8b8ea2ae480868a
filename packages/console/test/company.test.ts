import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { inviteMember, memberPassword } from '@commonplace/e2e';
import { expectNoSeriousAxeViolations } from './support/axe.ts';
import type { Visitor } from './support/browser.ts';
import { signIn } from './support/sign-in.ts';
import { startConsole, type ConsoleUnderTest } from './support/start-console.ts';

let subject: ConsoleUnderTest;
let visitor: Visitor;
beforeAll(async () => {
  subject = await startConsole({ mode: 'authenticated' });
}, 120_000);
afterEach(() => visitor.close());
afterAll(() => subject.stop());

const company = (): string => `/companies/${subject.world.acme.companyId}`;

const join = async (email: string, role: 'viewer' | 'operator') => {
  const { system, world } = subject;
  const asBoard = system.as(await system.boardHeaders());
  await inviteMember(asBoard, world.acme, { baseUrl: system.baseUrl, email, role });
  return { email, password: memberPassword };
};

describe('a member', () => {
  it('is invited by a link, accepts, gets another role, and is removed', async () => {
    visitor = await subject.visit();
    const { page } = visitor;
    await signIn(page);
    await page.goto(`${company()}/members`);
    await page.getByRole('button', { name: 'Invite', exact: true }).click();
    await page.getByRole('dialog').getByLabel('E-mail').fill('nora@example.org');
    await page.getByRole('button', { name: 'Create invite' }).click();
    const link = await page.getByLabel('Invite link').innerText();
    await page.keyboard.press('Escape');
    await page.getByRole('cell', { name: 'nora@example.org', exact: true }).waitFor();

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
    await page.waitForFunction(
      () =>
        document.querySelector<HTMLInputElement>('[aria-label="Role of Nora"]')?.value === 'viewer',
    );
    await guest.page.goto(`${company()}/agents`);
    await guest.page.getByRole('link', { name: 'Ada' }).waitFor();
    expect(await guest.page.getByRole('button', { name: 'New agent' }).count()).toBe(0);

    await page.getByRole('button', { name: 'Remove Nora' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Remove member' }).click();
    await role.waitFor({ state: 'detached' });
    await guest.close();
  });

  it('stays when it is the last owner, and the page says why', async () => {
    visitor = await subject.visit();
    const { page } = visitor;
    await signIn(page);
    await page.goto(`${company()}/members`);
    await page.getByRole('button', { name: 'Remove board' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Remove member' }).click();
    expect(await page.getByRole('alert').innerText()).toMatch(/owner/i);
  });
});

describe('an invite', () => {
  it('is withdrawn before somebody accepts it', async () => {
    visitor = await subject.visit();
    const { page } = visitor;
    const asBoard = subject.system.as(await subject.system.boardHeaders());
    await asBoard('POST', `/api${company()}/invites`, {
      body: { email: 'otto@example.org', role: 'viewer' },
    });
    await signIn(page);
    await page.goto(`${company()}/members`);
    const withdraw = page.getByRole('button', { name: 'Withdraw the invite of otto@example.org' });
    await withdraw.click();
    await withdraw.waitFor({ state: 'detached' });
    expect(await page.getByRole('alert').count()).toBe(0);
  });
});

describe('the activity', () => {
  it('is filtered in the address', async () => {
    visitor = await subject.visit();
    const { page } = visitor;
    await signIn(page);
    await page.goto(`${company()}/activity`);
    await page.getByRole('combobox', { name: 'What' }).click();
    await page.getByRole('option', { name: 'Key created' }).click();
    await page.waitForURL('**/activity?action=key.created');
    await page.getByRole('cell', { name: 'Agent created' }).waitFor({ state: 'detached' });
    await page.getByRole('cell', { name: /Key created/ }).waitFor();
    await page.reload();
    expect(await page.getByRole('cell', { name: /Key created/ }).innerText()).toContain('matrix');
  });
});

describe('a viewer', () => {
  it('is offered nothing it may not do, on any page', async () => {
    const account = await join('vera@example.org', 'viewer');
    visitor = await subject.visit();
    const { page } = visitor;
    await signIn(page, account);
    const agent = `/agents/${subject.world.acme.agentId}`;
    for (const path of ['/agents', agent, `${agent}?tab=keys`, '/runs', '/members', '/activity']) {
      await page.goto(company() + path);
      await page
        .getByRole('table')
        .or(page.getByRole('heading', { level: 2 }))
        .first()
        .waitFor();
      await page.waitForLoadState('networkidle');
      const offers = page.getByRole('main').getByRole('button', {
        name: /new|create|edit|pause|resume|terminate|rotate|revoke|cancel|invite|remove|withdraw/i,
      });
      expect({ path, offers: await offers.allInnerTexts() }).toEqual({ path, offers: [] });
      expect(await page.getByRole('alert').count()).toBe(0);
    }
  });
});

describe('the pages of a company', () => {
  it.each(['light', 'dark'] as const)(
    'fit a phone and have no serious axe violation, in %s',
    async (colorScheme) => {
      visitor = await subject.visit({ colorScheme, viewport: { width: 390, height: 800 } });
      const { page } = visitor;
      await signIn(page);
      const agent = `/agents/${subject.world.acme.agentId}`;
      const tabs = ['', '?tab=keys', '?tab=runs', '?tab=activity'].map((tab) => agent + tab);
      for (const path of ['', '/agents', ...tabs, '/org-chart', '/runs', '/members', '/activity']) {
        await page.goto(company() + path);
        await page.getByRole('heading').first().waitFor();
        await page.waitForLoadState('networkidle');
        const width = await page.evaluate(() => document.documentElement.scrollWidth);
        expect({ path, fits: width <= 390 }).toEqual({ path, fits: true });
        await expectNoSeriousAxeViolations(page);
      }
    },
    120_000,
  );
});
