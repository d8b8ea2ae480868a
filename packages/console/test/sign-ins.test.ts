import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { inviteMember, memberPassword } from '@commonplace/e2e';
import { openPage } from '../tools/wait-until-idle.ts';
import type { Visitor } from './support/browser.ts';
import { startConsole, type ConsoleUnderTest } from './support/start-console.ts';

const own = { email: 'sina@example.org', password: memberPassword };

let subject: ConsoleUnderTest;
let visitor: Visitor;
beforeAll(async () => {
  subject = await startConsole({ mode: 'authenticated' });
  const { system, world } = subject;
  const { baseUrl } = system;
  const asBoard = system.as(await system.boardHeaders());
  await inviteMember(asBoard, world.acme, { baseUrl, email: own.email, role: 'operator' });
  for (const email of [own.email, 'nobody@example.org']) {
    await fetch(`${baseUrl}/api/auth/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: baseUrl },
      body: JSON.stringify({ email, password: 'not the right password' }),
    });
  }
}, 120_000);
afterEach(() => visitor.close());
afterAll(() => subject.stop());

const emailsOf = async ({ page }: Visitor): Promise<readonly string[]> =>
  (await page.locator('tbody tr td:nth-child(3)').allInnerTexts()).map((text) =>
    text.replace(/\s+/g, ' ').trim(),
  );

describe('the sign-in history', () => {
  it('shows administrators those of everyone, filtered in the address', async () => {
    visitor = await subject.enter();
    const { page } = visitor;
    await openPage(page, '/');
    await page.getByRole('link', { name: 'Sign-ins' }).click();
    await page.getByText('no account').waitFor();
    await page.getByRole('combobox', { name: 'Outcome' }).click();
    await page.getByRole('option', { name: 'failure' }).click();
    await page.waitForURL('**/sign-ins?outcome=failure');
    await page.locator('tbody').getByText('success').first().waitFor({ state: 'detached' });
    await page.locator('tbody').getByText('no account').waitFor();
    expect(await emailsOf(visitor)).toEqual(['nobody@example.org no account', own.email]);
    await page.getByLabel('Email').fill(own.email);
    await page.getByText('no account').waitFor({ state: 'detached' });
    await page.locator('tbody').getByText(own.email).waitFor();
    expect(await emailsOf(visitor)).toEqual([own.email]);
    const time = page.locator('tbody time');
    expect(await time.getAttribute('title')).toContain(String(new Date().getFullYear()));
    await page.reload();
    await time.waitFor();
    expect(await emailsOf(visitor)).toEqual([own.email]);
    await page.getByLabel('Until').fill('2020-01-31');
    await page.getByText('No matching sign-ins').waitFor();
  });

  it('has everything of a row below its time on a phone, beside the names of the columns', async () => {
    visitor = await subject.enter();
    const { page } = visitor;
    await page.setViewportSize({ width: 390, height: 780 });
    await openPage(page, '/sign-ins?outcome=failure');
    const row = page.locator('tbody tr').filter({ hasText: own.email });
    await row.waitFor();
    const words = (await row.innerText()).replace(/\s+/g, ' ');
    expect(words).toMatch(/failure sina@example\.org Password 127\.0\.0\.1/i);
    const names = await row
      .locator('td')
      .evaluateAll((cells) => cells.map((cell) => getComputedStyle(cell, '::before').content));
    expect(names).toEqual(['none', '"Outcome"', '"Email"', '"Method"', '"Address and browser"']);
    const scroll = page.locator('.table-scroll');
    const [width, shown] = await scroll.evaluate((box) => [box.scrollWidth, box.clientWidth]);
    expect(width).toBeLessThanOrEqual(shown ?? 0);
    // The email is in one line: it is not broken within a word.
    const lines = await row.getByText(own.email).evaluate((cell) => {
      const range = document.createRange();
      range.selectNode(cell.firstChild ?? cell);
      return range.getClientRects().length;
    });
    expect(lines).toBe(1);
  });

  it('leads there from an operator, and shows others only their own', async () => {
    visitor = await subject.enter();
    await openPage(visitor.page, '/operators');
    const row = visitor.page.getByRole('row').filter({ hasText: own.email });
    await row.getByRole('button').click();
    await visitor.page.getByRole('menuitem', { name: 'Sign-in history' }).click();
    await visitor.page.locator('tbody').getByText('failure').first().waitFor();
    expect(new Set(await emailsOf(visitor))).toEqual(new Set([own.email]));
    await visitor.close();
    visitor = await subject.enter(own);
    const { page } = visitor;
    await openPage(page, '/account');
    expect(await page.getByRole('link', { name: 'Sign-ins' }).count()).toBe(0);
    await page.getByRole('link', { name: 'Sign-in history' }).click();
    await page.getByRole('heading', { name: 'Sign-ins' }).waitFor();
    await page.locator('tbody').getByText('failure').first().waitFor();
    expect(new Set(await emailsOf(visitor))).toEqual(new Set([own.email]));
    expect(await page.getByLabel('Email').count()).toBe(0);
  });
});
