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

const sections = ['', '/agents', '/notes', '/runs', '/members', '/activity', '/settings'];

describe('every page', () => {
  it.each(['light', 'dark'] as const)(
    'has no serious axe violation, in %s',
    async (scheme) => {
      visitor = await subject.visit({ colorScheme: scheme });
      const { page } = visitor;
      await signIn(page);
      const company = `/companies/${subject.world.acme.companyId}`;
      const paths = [...sections.map((section) => company + section), '/account', '/operators'];
      for (const path of [...paths, '/companies/new', '/nowhere']) {
        await page.goto(path);
        await page.getByRole('heading').first().waitFor();
        await page.waitForLoadState('networkidle');
        await expectNoSeriousAxeViolations(page);
      }
    },
    120_000,
  );

  it('fits a phone: nothing sticks out, and the navigation opens and closes', async () => {
    visitor = await subject.visit({ viewport: { width: 390, height: 800 } });
    const { page } = visitor;
    await signIn(page);
    await page.getByRole('heading', { name: 'Dashboard' }).waitFor();
    const width = await page.evaluate(() => document.documentElement.scrollWidth);
    expect(width).toBeLessThanOrEqual(390);
    await page.getByRole('button', { name: 'Open navigation' }).click();
    await page.getByRole('link', { name: 'Settings', exact: true }).click();
    await page.getByRole('button', { name: 'Open navigation' }).waitFor();
    await page.getByRole('heading', { name: 'Settings' }).waitFor();
  });
});

describe('a viewer', () => {
  it('is not offered what it may not do', async () => {
    const { system, world } = subject;
    const asBoard = system.as(await system.boardHeaders());
    const member = { email: 'vera@example.org', role: 'viewer' } as const;
    await inviteMember(asBoard, world.acme, { baseUrl: system.baseUrl, ...member });
    visitor = await subject.visit();
    const { page } = visitor;
    await signIn(page, { email: member.email, password: memberPassword });
    await page.getByRole('link', { name: 'Settings', exact: true }).click();
    await page.getByRole('heading', { name: 'Settings' }).waitFor();
    expect(await page.getByRole('button', { name: /Archive|Save/ }).count()).toBe(0);
    expect(await page.getByRole('link', { name: 'Operators' }).count()).toBe(0);
  });
});

describe('the company settings', () => {
  it('rename, archive after a question, and restore', async () => {
    visitor = await subject.visit();
    const { page } = visitor;
    await signIn(page);
    await page.goto(`/companies/${subject.world.zenith.companyId}/settings`);
    await page.getByLabel('Name', { exact: true }).fill('Zenith Labs');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Renamed.').waitFor();
    await page.getByRole('button', { name: /^Archive/ }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Archive company' }).click();
    await page.getByText('This company is archived').waitFor();
    await page.getByRole('button', { name: 'Restore company' }).click();
    await page.getByText('This company is archived').waitFor({ state: 'detached' });
    expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe('Zenith Labs');
  });
});
