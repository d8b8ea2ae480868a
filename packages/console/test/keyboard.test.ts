import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { openPage } from '../tools/wait-until-idle.ts';
import type { Visitor } from './support/browser.ts';
import { hold } from './support/hold.ts';
import { board, startConsole, type ConsoleUnderTest } from './support/start-console.ts';
import { untilCompany } from './support/until-company.ts';

let subject: ConsoleUnderTest;
let visitor: Visitor;
beforeAll(async () => {
  subject = await startConsole();
}, 120_000);
afterEach(() => visitor.close());
afterAll(() => subject.stop());

const company = (): string => `/companies/${subject.world.acme.companyId}`;

/** Waits until the element with this accessible name has the focus. */
const focus = async (page: Page, name: string): Promise<void> => {
  await page.waitForFunction((wanted) => {
    const { activeElement: element } = document;
    return (element?.getAttribute('aria-label') ?? element?.textContent?.trim()) === wanted;
  }, name);
};

const press = async (page: Page, ...strokes: readonly string[]): Promise<void> => {
  for (const key of strokes) {
    await page.keyboard.press(key);
  }
};

describe('without a mouse', () => {
  it('an operator signs in', async () => {
    visitor = await subject.visit();
    const { page } = visitor;
    await page.goto('/login');
    await page.getByLabel('Email', { exact: true }).focus();
    await page.keyboard.type(board.email);
    await press(page, 'Tab');
    await page.keyboard.type(board.password);
    await press(page, 'Enter');
    await page.getByRole('heading', { name: 'Dashboard' }).waitFor();
    expect(new URL(page.url()).pathname).toBe(company());
  });

  it('the skip link leads past the navigation to the page', async () => {
    visitor = await subject.enter();
    const { page } = visitor;
    await openPage(page, `${company()}/agents`);
    await page.getByRole('main').getByRole('link', { name: 'Ada' }).waitFor();
    await press(page, 'Tab');
    await focus(page, 'Skip to content');
    const ring = page.getByRole('link', { name: 'Skip to content' });
    expect(
      await ring.evaluate((link) => {
        const { outlineStyle, outlineWidth, outlineOffset } = getComputedStyle(link);
        return [outlineStyle, outlineWidth, outlineOffset];
      }),
    ).toEqual(['solid', '2px', '2px']);
    await press(page, 'Enter');
    await page.waitForFunction(() => document.activeElement?.id === 'main');
    await press(page, 'Tab');
    await focus(page, 'Skip to the first row');
    await press(page, 'Tab');
    await focus(page, 'Org chart');
    expect(new URL(page.url()).pathname).toBe(`${company()}/agents`);
  });

  it.each([
    ['Agents', 'a', '/agents'],
    ['Notes', 'n', '/notes'],
  ])('Tab and Enter lead to the first row of %s after g and %s', async (heading, key, section) => {
    visitor = await subject.enter();
    const { page } = visitor;
    await openPage(page, `${company()}/settings`);
    await press(page, 'g', key);
    await page.getByRole('heading', { name: heading, level: 1 }).waitFor();
    const first = page.getByRole('main').locator('tbody tr').first().getByRole('link').first();
    await first.waitFor();
    await press(page, 'Tab');
    await focus(page, 'Skip to the first row');
    await press(page, 'Enter');
    await first.and(page.locator(':focus')).waitFor();
    expect(new URL(page.url()).pathname).toBe(`${company()}${section}`);
  });

  it.each(['/agents', '/notes'])(
    'the second Tab of a page that was just loaded leads to its first row: %s',
    async (section) => {
      visitor = await subject.enter();
      const { page } = visitor;
      await openPage(page, `${company()}${section}`);
      const first = page.getByRole('main').locator('tbody tr').first().getByRole('link').first();
      await first.waitFor();
      await press(page, 'Tab');
      await focus(page, 'Skip to content');
      await press(page, 'Tab');
      await focus(page, 'Skip to the first row');
      await press(page, 'Enter');
      await first.and(page.locator(':focus')).waitFor();
      expect(new URL(page.url()).pathname).toBe(`${company()}${section}`);
    },
  );

  it('a page without rows has no link to them', async () => {
    visitor = await subject.enter();
    const { page } = visitor;
    await openPage(page, `${company()}/settings`);
    expect(await page.getByRole('link', { name: 'Skip to the first row' }).count()).toBe(0);
  });

  it('Tab follows the order of the header, and menus open and close', async () => {
    visitor = await subject.enter();
    const { page } = visitor;
    await openPage(page, company());
    await press(page, 'Tab', 'Tab');
    await focus(page, 'Commonplace, home');
    await press(page, 'Tab');
    await focus(page, 'Company');
    await press(page, 'Tab');
    await focus(page, 'Find anything');
    await press(page, 'Tab');
    await focus(page, 'Colour scheme');
    await press(page, 'Tab');
    await focus(page, 'Account menu');
    await press(page, 'Enter');
    const menu = page.getByRole('menu');
    await menu.waitFor();
    await focus(page, 'Account & sessions');
    await press(page, 'ArrowDown');
    await focus(page, 'Sign out');
    await press(page, 'Escape');
    await menu.waitFor({ state: 'detached' });
    await focus(page, 'Account menu');
    expect(await page.getByRole('menuitem').count()).toBe(0);
  });

  it('switching the company keeps the section', async () => {
    visitor = await subject.enter();
    const { page } = visitor;
    await openPage(page, `${company()}/agents`);
    await page.getByRole('combobox', { name: 'Company' }).focus();
    await press(page, 'Enter');
    await page.getByRole('option', { name: 'Zenith Works' }).waitFor();
    await press(page, 'ArrowDown', 'Enter');
    await page.waitForURL(`**/companies/${subject.world.zenith.companyId}/agents`);
    await untilCompany(page, 'Zenith Works');
    await page.getByRole('link', { name: 'Ada' }).waitFor();
    expect(await page.getByRole('heading', { level: 1 }).innerText()).toBe('Agents');
  });

  it('arrow keys open a select at its current option and move from there', async () => {
    visitor = await subject.enter();
    const { page } = visitor;
    await openPage(page, `${company()}/notes?sort=createdAt`);
    // Lists are not mounted before focus, so that pages open faster.
    expect(await page.locator('[role="listbox"]').count()).toBe(0);
    const choice = page.getByRole('combobox', { name: 'Sort by' });
    await choice.focus();
    await press(page, 'ArrowDown');
    const option = page.getByRole('option', { name: 'Recently created' });
    await option.waitFor();
    await page.waitForFunction(() => {
      const active = document.activeElement?.getAttribute('aria-activedescendant');
      return active && document.getElementById(active)?.textContent === 'Recently created';
    });
    await press(page, 'ArrowDown', 'Enter');
    await page.waitForURL(/sort=title/);
    expect(await choice.evaluate((field) => field === document.activeElement)).toBe(true);
  });

  it('a dialog traps the focus, starts at its first field, and returns the focus', async () => {
    visitor = await subject.enter();
    const { page } = visitor;
    await openPage(page, `${company()}/agents`);
    await page.getByRole('button', { name: 'New agent' }).focus();
    await press(page, 'Enter');
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').waitFor();
    await page.waitForFunction(() => document.activeElement?.matches('[role="dialog"] input'));
    for (let stops = 0; stops < 12; stops += 1) {
      await press(page, 'Tab');
      expect(
        await page.evaluate(() => document.activeElement?.closest('[role="dialog"]') !== null),
      ).toBe(true);
    }
    // In a field with an open list, Escape closes that first.
    await dialog.getByLabel('Name').focus();
    await press(page, 'Escape');
    await dialog.waitFor({ state: 'detached' });
    await focus(page, 'New agent');
  });

  it('a dialog that is opened while a page is loaded keeps the focus, and what is typed, once the page is there', async () => {
    visitor = await subject.enter();
    const { page } = visitor;
    await openPage(page, `${company()}/agents`);
    const code = await hold(page, '**/assets/members-page*');
    await page.getByRole('link', { name: 'Members', exact: true }).click();
    await press(page, 'Control+k');
    const field = page.getByRole('combobox', { name: 'Notes, agents, pages and actions' });
    await field.pressSequentially('new ');
    code.release();
    await page.waitForFunction(
      () =>
        document.querySelector('main h1')?.textContent === 'Members' &&
        !document.querySelector('main [aria-label="Loading"]'),
    );
    await page.keyboard.type('agent');
    expect(await field.inputValue()).toBe('new agent');
    await press(page, 'Enter');
    await page.getByRole('dialog', { name: 'New agent' }).waitFor();
  });

  it('a dialog without a field of its own to begin with starts at its first choice, never at what it does', async () => {
    visitor = await subject.enter();
    const { page } = visitor;
    await openPage(page, `${company()}/credentials`);
    await page
      .getByRole('button', { name: /^Rotate / })
      .first()
      .click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('combobox', { name: 'Old key' }).and(page.locator(':focus')).waitFor();
    await press(page, 'Escape');
    await dialog.waitFor({ state: 'detached' });
    await page.getByRole('main').getByRole('link', { name: 'Ada' }).first().click();
    await page.getByRole('heading', { name: 'Ada', level: 1 }).waitFor();
    await page.getByRole('button', { name: /^Stop and undo/ }).click();
    const since = dialog.getByLabel('Everything it wrote since');
    await since.and(page.locator(':focus')).waitFor();
    expect(await since.inputValue()).toMatch(/^\d{4}-\d\d-\d\d$/);
  });

  it.each(['Colour scheme', 'Account'])('the menu %s gives the focus back', async (name) => {
    visitor = await subject.enter();
    const { page } = visitor;
    await openPage(page, `${company()}/agents`);
    const button = page.getByRole('button', { name: new RegExp(`^${name}`) });
    // It is given back some time after the menu has gone, to a button that may be another element by then.
    const expectFocus = () => button.and(page.locator(':focus')).waitFor();
    await button.focus();
    await press(page, 'Enter');
    await page.getByRole('menuitem').first().waitFor();
    await press(page, 'ArrowDown', 'Escape');
    await page.getByRole('menuitem').first().waitFor({ state: 'detached' });
    await expectFocus();
    // Also who leaves it by a click on its button.
    await button.click();
    await page.getByRole('menuitem').first().waitFor();
    await button.click();
    await page.getByRole('menuitem').first().waitFor({ state: 'detached' });
    await expectFocus();
  });

  it('a button that was busy has the focus again, unless something else has it', async () => {
    visitor = await subject.enter();
    const { page } = visitor;
    await openPage(page, `${company()}/settings`);
    let sent = Promise.withResolvers<void>();
    let released = Promise.withResolvers<void>();
    await page.route('**/api/companies/*', async (route) => {
      if (route.request().method() === 'PATCH') {
        sent.resolve();
        await released.promise;
        const json = { code: 'validation_failed', detail: 'No', status: 400, title: 'No' };
        await route.fulfill({ status: 400, contentType: 'application/problem+json', json });
      } else {
        await route.fallback();
      }
    });
    const name = page.getByLabel('Name', { exact: true });
    await name.fill('Acme Renamed');
    const save = page.getByRole('button', { name: 'Save', exact: true });
    await save.focus();
    await press(page, 'Enter');
    await sent.promise;
    await page.waitForFunction(() => document.activeElement === document.body);
    released.resolve();
    await focus(page, 'Save');
    [sent, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    await press(page, 'Enter');
    await sent.promise;
    const other = page.getByLabel('Monthly budget of the company');
    await other.focus();
    released.resolve();
    await page.getByRole('button', { name: 'Save', exact: true, disabled: false }).waitFor();
    expect(await other.evaluate((field) => field === document.activeElement)).toBe(true);
  });

  it('what takes the place of an element that is removed has its focus, and Tab goes on from there', async () => {
    visitor = await subject.enter();
    const { page } = visitor;
    await openPage(page, '/account');
    const isWithin = (text: string) =>
      page.waitForFunction((wanted) => {
        const { activeElement, body } = document;
        return activeElement !== body && activeElement?.textContent?.includes(wanted);
      }, text);
    const begin = page.getByRole('button', { name: 'Set up an app' });
    await begin.focus();
    await press(page, 'Enter');
    await isWithin('Scan the QR code');
    await press(page, 'Tab');
    await focus(page, 'Copy Secret');
    await page.getByRole('button', { name: 'Cancel', exact: true }).focus();
    await press(page, 'Enter');
    await begin.waitFor();
    await isWithin('Signing in then needs a code');
    expect(await begin.evaluate((button) => button === document.activeElement)).toBe(false);
  });

  it('the focus stays within a dialog whose content changes, and is back beside where it came from', async () => {
    visitor = await subject.enter();
    const { page } = visitor;
    // Other tests use the keys of the first company.
    await openPage(page, `/companies/${subject.world.zenith.companyId}/credentials`);
    const isWithin = (selector: string) =>
      page.waitForFunction((wanted) => {
        const { activeElement, body } = document;
        return activeElement !== body && activeElement?.closest(wanted) !== null;
      }, selector);
    await page
      .getByRole('button', { name: /^Rotate/ })
      .first()
      .focus();
    await press(page, 'Enter');
    await page.getByRole('button', { name: 'Rotate key' }).focus();
    await press(page, 'Enter');
    await page.getByRole('button', { name: 'I have stored the key' }).waitFor();
    await isWithin('[role="dialog"]');
    await press(page, 'Tab');
    await focus(page, 'Copy API key');
    await page.getByRole('button', { name: 'I have stored the key' }).focus();
    await press(page, 'Enter');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await isWithin('#main table');
    expect(await page.getByRole('dialog').count()).toBe(0);
  });

  it('no control has the focus of a removed one, or leaves the order of Tab; the end of a list stays its end', async () => {
    visitor = await subject.enter();
    const { page } = visitor;
    await openPage(page, '/account');
    await page.evaluate(() => {
      document.querySelector('#main')?.insertAdjacentHTML(
        'beforeend',
        `<div id="bar"><button>Select all</button><button>Move</button></div>
        <div id="list"><ul><li><a href="#1">One</a></li><li><a href="#2">Two</a></li></ul><button>More</button></div>`,
      );
    });
    const remove = async (name: string): Promise<void> => {
      const button = page.getByRole('button', { name, exact: true });
      await button.focus();
      await button.evaluate((element) => element.remove());
      await page.waitForFunction(() => document.activeElement !== document.body);
    };
    await remove('Select all');
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('bar');
    await press(page, 'Tab');
    await focus(page, 'Move');
    await remove('More');
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Two');
    await press(page, 'Tab');
    await focus(page, 'Two');
    expect(
      await page
        .locator('#bar, #bar *, #list *')
        .evaluateAll((all) => all.filter((part) => part.hasAttribute('tabindex')).length),
    ).toBe(0);
  });

  it('arrow keys switch tabs', async () => {
    visitor = await subject.enter();
    const { page } = visitor;
    await openPage(page, `${company()}/agents/${subject.world.acme.agentId}`);
    await page.getByRole('tab', { name: 'Overview' }).focus();
    await press(page, 'ArrowRight');
    await page.waitForURL(/tab=keys$/);
    await page.getByRole('rowheader', { name: /^matrix/ }).waitFor();
    await focus(page, 'Keys');
    expect(await page.getByRole('tab', { selected: true }).innerText()).toBe('Keys');
  });
});
