import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { expectNoAxeViolations } from './support/axe.ts';
import type { Visitor } from './support/browser.ts';
import { startEmptyConsole, type EmptyConsole } from './support/start-console.ts';

const links: string[] = [];
let subject: EmptyConsole;
let visitor: Visitor;
beforeAll(async () => {
  subject = await startEmptyConsole('authenticated', {
    onSetupLink: (url) => links.push(url),
    env: { BOOTSTRAP_OPERATOR_EMAIL: '', BOOTSTRAP_OPERATOR_PASSWORD: '' },
  });
}, 120_000);
afterEach(() => visitor.close());
afterAll(() => subject.stop());

describe('the first setup', () => {
  it('is what the sign-in page points to', async () => {
    visitor = await subject.visit();
    const { page } = visitor;
    await page.goto('/');
    await page.getByText(/Its log has the setup link/).waitFor();
    await expectNoAxeViolations(page);
  });

  it('displays an error if the address has no token', async () => {
    visitor = await subject.visit();
    const { page } = visitor;
    await page.goto('/setup');
    expect(await page.getByRole('alert').textContent()).toContain('incomplete');
    await expectNoAxeViolations(page);
  });

  it('of a link that was replaced says so before the form, and where the newest is', async () => {
    visitor = await subject.visit();
    const { page } = visitor;
    await page.goto(`/setup#token=${'x'.repeat(43)}`);
    await page.getByText('This link is not valid any more').waitFor();
    expect(await page.getByLabel('Password').count()).toBe(0);
    await expectNoAxeViolations(page);
  });

  it('leads from the printed link through the first account to the first company', async () => {
    visitor = await subject.visit();
    const { page } = visitor;
    const late = await subject.visit();
    await late.page.goto(links[0] ?? 'about:blank');
    await page.goto(links[0] ?? 'about:blank');
    await page.getByLabel('Email', { exact: true }).fill('first@example.org');
    await page.getByLabel('Name', { exact: true }).fill('Frida First');
    const password = page.getByLabel('Password', { exact: true });
    await password.fill('too short');
    await page.getByRole('button', { name: 'Create account' }).click();
    await page.getByText('Use at least 15 characters').waitFor();
    await expectNoAxeViolations(page);
    await password.fill('nine blue kites in the rain');
    await page.getByRole('button', { name: 'Create account' }).click();
    await page.getByRole('link', { name: 'Create a company' }).click();
    await page.getByLabel('Name', { exact: true }).fill('First Works');
    await page.getByRole('button', { name: 'Create company' }).click();
    await page.getByRole('heading', { name: 'Begin', exact: true }).waitFor();
    await page.getByRole('link', { name: 'Settings', exact: true }).click();
    await page.getByRole('button', { name: /^Archive/ }).waitFor();
    // A second person opened the link before the instance was set up.
    await late.page.getByLabel('Email', { exact: true }).fill('second@example.org');
    await late.page.getByLabel('Name', { exact: true }).fill('Second');
    await late.page.getByLabel('Password', { exact: true }).fill('nine blue kites in the rain');
    await late.page.getByRole('button', { name: 'Create account' }).click();
    await late.page.getByText('No account was created.').waitFor();
    await late.close();
  });

  it('works only once, and says so at once to whom opens the link later, with the way to the sign-in', async () => {
    visitor = await subject.visit();
    const { page } = visitor;
    await page.goto(links[0] ?? 'about:blank');
    await page.getByRole('heading', { name: 'Already set up' }).waitFor();
    expect(new URL(page.url()).pathname).toBe('/setup');
    expect(await page.getByLabel('Password').count()).toBe(0);
    await expectNoAxeViolations(page);
    await page.getByRole('link', { name: 'Sign in' }).click();
    await page.getByLabel('Email', { exact: true }).waitFor();
  });
});
