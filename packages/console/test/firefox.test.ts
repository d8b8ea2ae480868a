import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { bearer, createApi, makeCompany, type Api, type CompanyWorld } from '@commonplace/e2e';
import type { Browser } from 'puppeteer-core';
import { createDemoData, type DemoData } from '../tools/demo-data.ts';
import { must } from '../tools/must.ts';
import {
  hasFirefox,
  heading,
  openFirefoxPage,
  startFirefox,
  type FirefoxPage,
} from './support/firefox.ts';
import { publicPages, signedInPages } from './support/page-list.ts';
import { board, startEmptyConsole, type EmptyConsole } from './support/start-console.ts';

if (!hasFirefox) {
  process.stderr.write('Firefox is not tested: install firefox-esr.\n');
}
const describeInFirefox = hasFirefox ? describe : describe.skip;

describeInFirefox('in Firefox', () => {
  let subject: EmptyConsole;
  let browser: Browser;
  let demo: DemoData;
  let world: CompanyWorld;
  let agent: Api;
  let signedIn: FirefoxPage;
  beforeAll(async () => {
    subject = await startEmptyConsole('authenticated');
    const { baseUrl } = subject.system;
    const asBoard = subject.system.as(await subject.system.boardHeaders());
    demo = await createDemoData(baseUrl, asBoard);
    world = await makeCompany(asBoard, 'Acme Research', { baseUrl, withInvite: false });
    agent = createApi({ baseUrl, headers: bearer(world.key) });
    browser = await startFirefox();
    signedIn = await openFirefoxPage(browser, baseUrl);
  }, 240_000);
  afterAll(async () => {
    try {
      await signedIn.close();
    } finally {
      await browser.close();
      await subject.stop();
    }
  }, 60_000);

  const at = (section: string): string => `/companies/${world.companyId}${section}`;
  const contentOf = async (id: string): Promise<unknown> =>
    (await must(agent, `GET /api/notes/${id}`))['content'];

  it('an operator signs in', async () => {
    const { page, open, click, fill, seen } = signedIn;
    await open('/login');
    await fill('Email', board.email);
    await fill('Password', board.password);
    await click('Sign in');
    await seen('nav[aria-label="Main"]');
    await seen(heading('Dashboard'));
    expect(new URL(page.url()).pathname).toMatch(/^\/companies\//);
  });

  it('a note is created and edited', async () => {
    const { page, open, click, fill, seen } = signedIn;
    await open(at('/notes/new'));
    await fill('Title', 'Written in Firefox');
    await page.locator('.cm-content').click();
    await page.keyboard.type('One badger\nTwo foxes');
    await click('Done');
    await seen(heading('Written in Firefox'));
    const id = new URL(page.url()).pathname.split('/').at(-1) ?? '';
    expect(await contentOf(id)).toBe('One badger\nTwo foxes');
    await open(at(`/notes/${id}/edit`));
    await page.locator('.cm-content').click();
    await page.keyboard.down('Control');
    await page.keyboard.press('Home');
    await page.keyboard.up('Control');
    await page.keyboard.type('Zero owls, ');
    await page.keyboard.down('Control');
    await page.keyboard.press('s');
    await page.keyboard.up('Control');
    await seen('::-p-text(Saved.)');
    expect(await contentOf(id)).toBe('Zero owls, One badger\nTwo foxes');
  });

  it('Ctrl+K finds a note, and Enter opens it', async () => {
    const { page, open, seen } = signedIn;
    const body = { title: 'Orchids', content: 'The greenhouse needs misting.' };
    await must(agent, `PUT /api/notes/${randomUUID()}`, body);
    await open(at('/agents'));
    await page.keyboard.down('Control');
    await page.keyboard.press('k');
    await page.keyboard.up('Control');
    await page.waitForFunction(() => document.activeElement?.getAttribute('role') === 'combobox');
    await page.keyboard.type('greenh');
    await page.waitForFunction(() => {
      const selected = document.activeElement?.getAttribute('aria-activedescendant');
      return selected && document.getElementById(selected)?.textContent?.includes('Orchids');
    });
    await page.keyboard.press('Enter');
    await seen(heading('Orchids'));
    expect(new URL(page.url()).pathname).toMatch(/\/notes\//);
  });

  it('a draft survives a reload, with the last word', async () => {
    const { page, open, click, seen, gone } = signedIn;
    const id = randomUUID();
    await must(agent, `PUT /api/notes/${id}`, { title: 'Reloaded', content: 'one\n' });
    await open(at(`/notes/${id}/edit`));
    await page.locator('.cm-content').click();
    await page.keyboard.type('two words ');
    page.once('dialog', (dialog) => void dialog.accept());
    await page.reload();
    await seen('::-p-text(Your unsaved draft is back)');
    await seen('.cm-content::-p-text(two words)');
    await click('Discard draft');
    await gone('::-p-text(Your unsaved draft is back)');
    expect(await contentOf(id)).toBe('one\n');
  });

  it('a session that ends is continued on the page, with what was written', async () => {
    const { page, open, click, seen, gone } = signedIn;
    const id = randomUUID();
    await must(agent, `PUT /api/notes/${id}`, { title: 'Interrupted', content: 'one\n' });
    await open(at(`/notes/${id}/edit`));
    await page.locator('.cm-content').click();
    await page.keyboard.type('unsaved words ');
    const context = page.browserContext();
    await context.deleteCookie(...(await context.cookies()));
    await seen('::-p-text(Your session has ended)');
    await page.locator('[role="dialog"] input[type="password"]').fill(board.password);
    await click('Sign in');
    await gone('::-p-text(Your session has ended)');
    await click('Done');
    await seen(heading('Interrupted'));
    expect(await contentOf(id)).toContain('unsaved words ');
  });

  it.each(signedInPages)('a page opens without errors: %s', async (_, pathOf) => {
    await signedIn.open(pathOf(demo));
    expect(await signedIn.page.$('::-p-text(Something went wrong)')).toBeNull();
  });

  it.each(publicPages)('a page opens without errors: %s', async (_, path) => {
    const guest = await openFirefoxPage(browser, subject.system.baseUrl);
    await guest.open(path);
    expect(await guest.page.$('::-p-text(Something went wrong)')).toBeNull();
    await guest.close();
  });
});
