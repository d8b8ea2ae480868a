import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { bearer, createApi, makeCompany, type Api, type CompanyWorld } from '@commonplace/e2e';
import type { Browser } from 'puppeteer-core';
import { createDemoData, type DemoData } from '../tools/demo-data.ts';
import { must } from '../tools/must.ts';
import { hasFirefox, openFirefoxPage, startFirefox, type FirefoxPage } from './support/firefox.ts';
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
  const click = (selector: string) => signedIn.page.locator(selector).click();
  const seen = (selector: string) => signedIn.page.waitForSelector(selector);
  const contentOf = async (id: string): Promise<unknown> =>
    (await must(agent, `GET /api/notes/${id}`))['content'];

  it('an operator signs in', async () => {
    const { page, open } = signedIn;
    await open('/login');
    await page.locator('input[type="email"]').fill(board.email);
    await page.locator('input[type="password"]').fill(board.password);
    await click('::-p-aria([name="Sign in"][role="button"])');
    await seen('nav[aria-label="Main"]');
    await seen('::-p-aria([name="Dashboard"][role="heading"])');
    expect(new URL(page.url()).pathname).toMatch(/^\/companies\//);
  });

  it('a note is created and edited', async () => {
    const { page, open } = signedIn;
    await open(at('/notes/new'));
    await page.locator('::-p-aria([name="Title"][role="textbox"])').fill('Written in Firefox');
    await click('.cm-content');
    await page.keyboard.type('One badger\nTwo foxes');
    await click('::-p-aria([name="Done"][role="button"])');
    await seen('::-p-aria([name="Written in Firefox"][role="heading"])');
    const id = new URL(page.url()).pathname.split('/').at(-1) ?? '';
    expect(await contentOf(id)).toBe('One badger\nTwo foxes');
    await open(at(`/notes/${id}/edit`));
    await click('.cm-content');
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
    const { page, open } = signedIn;
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
    await seen('::-p-aria([name="Orchids"][role="heading"])');
    expect(new URL(page.url()).pathname).toMatch(/\/notes\//);
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
