import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { openPage, waitUntilIdle } from '../tools/wait-until-idle.ts';
import { createDemoData, type DemoData } from '../tools/demo-data.ts';
import { expectNoAxeViolations, expectNoAxeViolationsOfColours } from './support/axe.ts';
import { expectReadablePlaceholders } from './support/placeholders.ts';
import type { Visitor } from './support/browser.ts';
import { publicPages, signedInPages } from './support/page-list.ts';
import { startEmptyConsole, type EmptyConsole } from './support/start-console.ts';
import { expectStructure } from './support/structure.ts';
import { expectLargeTargets } from './support/targets.ts';

let subject: EmptyConsole;
let demo: DemoData;
let visitor: Visitor;
beforeAll(async () => {
  subject = await startEmptyConsole('authenticated');
  const { system } = subject;
  demo = await createDemoData(system.baseUrl, system.as(await system.boardHeaders()));
  visitor = await subject.enter();
}, 180_000);
afterAll(async () => {
  await visitor.close();
  await subject.stop();
});

const desktop = { width: 1200, height: 760 };
const phone = { width: 390, height: 780 };
afterEach(async () => {
  await visitor.page.keyboard.press('Escape');
  await visitor.page.setViewportSize(desktop);
});

/** Nothing is wider than the page, except elements that scroll. */
const expectNothingSticksOut = async (page: Page): Promise<void> => {
  const width = await page.evaluate(() => document.documentElement.scrollWidth);
  expect(width).toBeLessThanOrEqual(page.viewportSize()?.width ?? 0);
};

/** Tables are wider than a phone in columns. */
const expectNoTableScrolls = async (page: Page): Promise<void> => {
  const wide = await page
    .locator('.table-scroll')
    .evaluateAll((boxes) => boxes.filter((box) => box.scrollWidth > box.clientWidth).length);
  expect(wide).toBe(0);
};

/** Every page of a company is in one section of the navigation, which is marked and has no second entry. */
const expectOneEntry = async (page: Page): Promise<void> => {
  const entries = await page.locator('nav[aria-label="Main"] a').evaluateAll((links) =>
    links.map((link) => ({
      to: link.getAttribute('href') ?? '',
      isCurrent: link.hasAttribute('aria-current'),
    })),
  );
  expect(new Set(entries.map(({ to }) => to)).size).toBe(entries.length);
  const current = entries.filter(({ isCurrent }) => isCurrent);
  const isOfCompany = new URL(page.url()).pathname.startsWith('/companies/0');
  expect(current.length).toBe(isOfCompany ? 1 : Math.min(1, current.length));
};

const looks = [
  { size: phone, colorScheme: 'dark' },
  { size: phone, colorScheme: 'light' },
  { size: { width: 768, height: 1024 }, colorScheme: 'light' },
  { size: { width: 1440, height: 900 }, colorScheme: 'dark' },
  { size: { width: 2560, height: 1440 }, colorScheme: 'light' },
] as const;

/** Checks the current page with every rule, from the width of a phone to that of a large screen. */
const expectGoodLooks = async (page: Page): Promise<void> => {
  for (const [index, { size, colorScheme }] of looks.entries()) {
    await page.setViewportSize(size);
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await page.locator(`html[data-mantine-color-scheme="${colorScheme}"]`).waitFor();
    // In a size that has been checked, only the colours are others.
    await (looks[index - 1]?.size === size
      ? expectNoAxeViolationsOfColours(page)
      : expectNoAxeViolations(page));
    await expectLargeTargets(page);
    await expectReadablePlaceholders(page);
    await expectNothingSticksOut(page);
    if (size === phone) {
      await expectNoTableScrolls(page);
    }
  }
};

describe('without violations of WCAG 2.2 AA, light and dark, from 390 to 2,560 pixels:', () => {
  it.each(signedInPages)('%s', async (_, pathOf) => {
    const { page } = visitor;
    await page.goto(pathOf(demo));
    await page.locator('main h1').first().waitFor();
    await waitUntilIdle(page);
    await expectOneEntry(page);
    await expectStructure(page);
    await expectGoodLooks(page);
  });

  it.each(publicPages)('%s', async (_, path) => {
    const guest = await subject.visit();
    await openPage(guest.page, path);
    await expectGoodLooks(guest.page);
    await guest.close();
  });
});

type Dialog = readonly [name: string, pathOf: (at: DemoData) => string, button: string | RegExp];

const dialogs: readonly Dialog[] = [
  ['a new agent', ({ company }) => `${company}/agents`, 'New agent'],
  ['an agent that is edited', ({ agent }) => agent, 'Edit'],
  ['an agent about to be terminated', ({ agent }) => agent, 'Terminate…'],
  ['a new key', ({ agent }) => `${agent}?tab=keys`, 'New key'],
  ['a key that is rotated', ({ agent }) => `${agent}?tab=keys`, 'Rotate heartbeat'],
  ['a run about to be cancelled', ({ agent }) => `${agent}?tab=runs`, /^Cancel…/],
  ['a note about to be deleted', ({ note }) => note, 'Delete…'],
  ['an invite', ({ company }) => `${company}/members`, 'Invite'],
  ['a company about to be archived', ({ company }) => `${company}/settings`, /^Archive/],
];

describe('the same for dialogs, which Escape closes:', () => {
  it.each(dialogs)('%s', async (_, pathOf, button) => {
    const { page } = visitor;
    await openPage(page, pathOf(demo));
    const opener = page.getByRole('main').getByRole('button', { name: button, exact: true });
    await opener.focus();
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog');
    await dialog.waitFor();
    // The focus is inside the dialog, not behind it.
    await page.waitForFunction(() => document.activeElement?.closest('[role="dialog"]') !== null);
    await expectGoodLooks(page);
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await page.waitForFunction(() => document.activeElement?.closest('main') !== null);
    expect(await opener.count()).toBe(1);
  });
});

describe('the same for what opens from the header or a filter, and Escape returns the focus:', () => {
  it.each([
    ['Account menu', 'button'],
    ['Colour scheme', 'button'],
    ['Company', 'combobox'],
    ['Outcome', 'combobox'],
  ] as const)('%s', async (name, role) => {
    const { page } = visitor;
    const list = role === 'button' ? 'menu' : 'listbox';
    for (const { size, colorScheme } of [looks[0], looks[4]]) {
      await page.setViewportSize(size);
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      await openPage(page, `${demo.company}/runs`);
      const opener = page.getByRole(role, { name, exact: true });
      await opener.focus();
      await page.keyboard.press('Enter');
      await page.getByRole(list).waitFor();
      await expectNoAxeViolations(page);
      await expectLargeTargets(page);
      await page.keyboard.press('Escape');
      await page.getByRole(list).waitFor({ state: 'hidden' });
      // It is given back some time after the list has gone.
      await opener.and(page.locator(':focus')).waitFor();
    }
  });
});
