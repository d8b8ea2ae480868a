import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { Visitor } from './support/browser.ts';
import { startConsole, type ConsoleUnderTest } from './support/start-console.ts';

let subject: ConsoleUnderTest;
let visitor: Visitor;
beforeAll(async () => {
  subject = await startConsole({ mode: 'local_trusted' });
}, 120_000);
afterEach(() => visitor.close());
afterAll(() => subject.stop());

describe('in local trusted mode', () => {
  it('every visitor is signed in, and a badge says so', async () => {
    visitor = await subject.visit();
    const { page } = visitor;
    await page.goto('/login');
    await page.getByRole('heading', { name: 'Dashboard' }).waitFor();
    const badge = page.getByText('Local trusted mode').and(page.locator(':visible'));
    await badge.waitFor();
    await page.getByRole('button', { name: 'Account menu' }).click();
    await page.getByRole('menuitem', { name: 'Account' }).waitFor();
    expect(await page.getByRole('menuitem', { name: 'Sign out' }).count()).toBe(0);
    await page.keyboard.press('Escape');
    await page.setViewportSize({ width: 390, height: 844 });
    const company = await page.getByRole('combobox', { name: 'Company' }).boundingBox();
    expect(company?.width).toBeGreaterThan(140);
    await page.getByRole('button', { name: 'Open navigation' }).click();
    await badge.waitFor();
  });
});

describe('an account of local trusted mode', () => {
  it('is explained where accounts are listed, and not offered to be removed', async () => {
    visitor = await subject.visit();
    const { page } = visitor;
    await page.goto('/operators');
    await page.getByRole('heading', { name: 'No accounts in local trusted mode' }).waitFor();
    await page.goto(`/companies/${subject.world.acme.companyId}/members`);
    await page.getByRole('cell', { name: 'owner' }).waitFor();
    expect(await page.getByRole('button', { name: /^Remove/ }).count()).toBe(0);
    expect(await page.getByRole('combobox', { name: /^Role of/ }).count()).toBe(0);
  });
});

describe('an unknown address', () => {
  it('has the navigation of the console, and a way on', async () => {
    visitor = await subject.visit();
    const { page } = visitor;
    for (const path of ['/nowhere', '/companies/new/else', '/instance/else/more']) {
      await page.goto(path);
      await page.getByRole('heading', { name: 'Page not found' }).waitFor();
      await page.getByRole('link', { name: 'Notes', exact: true }).waitFor();
      await page.getByRole('combobox', { name: 'Company' }).waitFor();
    }
    await page.getByRole('link', { name: 'Go to home page' }).click();
    await page.getByRole('heading', { name: 'Dashboard' }).waitFor();
    expect(new URL(page.url()).pathname).toBe(`/companies/${subject.world.acme.companyId}`);
  });
});

describe('the page', () => {
  it('runs and loads only its own files, and is served only to browsers', async () => {
    visitor = await subject.visit();
    const { baseUrl } = subject.system;
    const page = await fetch(`${baseUrl}/companies/somewhere`, {
      headers: { accept: 'text/html' },
    });
    const policy = page.headers.get('content-security-policy') ?? '';
    expect(policy).toContain("default-src 'none'; script-src 'self'; style-src 'self' 'nonce-");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toContain('unsafe');
    expect(page.headers.get('x-content-type-options')).toBe('nosniff');
    expect(page.headers.get('cross-origin-opener-policy')).toBe('same-origin');
    const statuses = await Promise.all(
      [
        fetch(`${baseUrl}/companies/somewhere`),
        fetch(`${baseUrl}/api/nothing`, { headers: { accept: 'text/html' } }),
        fetch(`${baseUrl}/internal/nothing`, { headers: { accept: 'text/html' } }),
        fetch(`${baseUrl}/assets/nothing.js`),
      ].map(async (response) => (await response).status),
    );
    expect(statuses).toEqual([404, 404, 404, 404]);
  });
});
