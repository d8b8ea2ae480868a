import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { must } from '../tools/must.ts';
import { acmeConsole } from './support/acme-console.ts';
import { untilStill } from './support/until-still.ts';

const { at, agent, enter } = acmeConsole();

const notesCount = 900;

/** Each report of a position comes with an older one, as a browser sends them when the page was busy. */
const reportTwice = (): void => {
  const Native = globalThis.IntersectionObserver;
  globalThis.IntersectionObserver = class extends Native {
    constructor(callback: IntersectionObserverCallback, options?: IntersectionObserverInit) {
      super((entries, self) => {
        const older = entries.map(({ target, boundingClientRect }) => ({
          target,
          boundingClientRect,
          isIntersecting: false,
        }));
        callback([...(older as IntersectionObserverEntry[]), ...entries], self);
      }, options);
    }
  };
};

describe('a list of 900 notes', () => {
  beforeAll(async () => {
    await must(agent, `PUT /api/notes/${randomUUID()}`, { title: 'First', folder: 'attic' });
    await push('Earlier');
    await push('Recent');
  });

  it('is beside all folders, also one whose only note is the oldest', async () => {
    const page = await enter();
    await page.goto(at('/notes'));
    const folders = page.getByRole('navigation', { name: 'Folders' });
    await folders.getByRole('link', { name: 'attic' }).click();
    await page.getByRole('link', { name: 'First', exact: true }).waitFor();
    expect(await page.getByRole('link', { name: 'Recent' }).count()).toBe(0);
  });

  it('is where it was after a note was opened and left with Back', async () => {
    const page = await enter();
    await page.goto(at('/notes'));
    await page.getByRole('link', { name: 'Recent' }).first().waitFor();
    const topOf = () => page.evaluate(() => Math.round(window.scrollY));
    while ((await topOf()) < 2_500) {
      await page.mouse.wheel(0, 500);
      await page.waitForTimeout(50);
    }
    await untilStill(page);
    const inView = await page.evaluate(() => {
      const links = [...document.querySelectorAll('a[data-title]')];
      return links.find((link) => link.getBoundingClientRect().top > 200)?.textContent ?? '';
    });
    const link = page.getByRole('link', { name: inView, exact: true });
    const before = await topOf();
    await link.click();
    await page.getByRole('heading', { name: inView, exact: true }).waitFor();
    await page.goBack();
    await link.waitFor();
    await page.waitForFunction((top) => Math.abs(window.scrollY - top) < 60, before);
    expect(await link.isVisible()).toBe(true);
  });

  it('loads to its end by scrolling, also where the browser reports several positions at once', async () => {
    const page = await enter();
    await page.addInitScript(reportTwice);
    await page.goto(at('/notes'));
    await page.getByRole('link', { name: 'Recent' }).first().waitFor();
    const oldest = page.getByRole('link', { name: 'First', exact: true });
    while ((await oldest.count()) === 0) {
      await page.evaluate(() => window.scrollTo(0, document.documentElement.scrollHeight));
    }
    const shown = await page.getByRole('link', { name: 'Earlier' }).count();
    expect([shown > 0, shown < notesCount / 2]).toEqual([true, true]);
  });

  it('has one element for the rows far from the window, which has their height', async () => {
    const page = await enter();
    await page.goto(at('/notes'));
    await page.getByRole('link', { name: 'Recent' }).first().waitFor();
    const heightPx = () => page.evaluate(() => document.documentElement.scrollHeight);
    const oldest = page.getByRole('link', { name: 'First', exact: true });
    while ((await oldest.count()) === 0) {
      await page.evaluate(() => window.scrollTo(0, document.documentElement.scrollHeight));
    }
    const bodies = page.locator('main tbody');
    // A body for each 20 rows would be 46.
    await page.waitForFunction(() => document.querySelectorAll('main tbody').length <= 22);
    const atEnd = await heightPx();
    await page.evaluate(() => window.scrollTo(0, 0));
    await bodies.first().locator('tr[data-row-note]').first().waitFor();
    await oldest.waitFor({ state: 'detached' });
    await page.waitForFunction(() => document.querySelectorAll('main tbody').length <= 26);
    expect(await bodies.last().locator('tr').count()).toBe(1);
    expect(Math.abs((await heightPx()) - atEnd)).toBeLessThan(40);
  });
});

/** Pushes half of the notes. */
const push = (title: string): Promise<unknown> =>
  must(agent, 'POST /api/sync', {
    clientId: title,
    changes: Array.from({ length: notesCount / 2 }, (_, index) => ({
      mutationId: `${index}`,
      id: randomUUID(),
      op: 'put',
      baseRevision: null,
      note: { title: `${title} ${index}`, content: '' },
    })),
  });
