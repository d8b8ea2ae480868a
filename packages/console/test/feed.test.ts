import { describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Page, Request } from 'playwright-core';
import { must } from '../tools/must.ts';
import { openPage } from '../tools/wait-until-idle.ts';
import { acmeConsole } from './support/acme-console.ts';

const { at, agent, enter } = acmeConsole();

const notes = (): string => at('/notes');

const write = (title: string) => must(agent, `PUT /api/notes/${randomUUID()}`, { title });

const isStream = (request: Request): boolean =>
  request.headers()['accept']?.includes('text/event-stream') ?? false;

/** Sets the visibility of the page: in a headless browser every tab is visible. */
const show = (page: Page, state: 'visible' | 'hidden'): Promise<void> =>
  page.evaluate((visibility) => {
    Object.defineProperty(document, 'visibilityState', { value: visibility, configurable: true });
    document.dispatchEvent(new Event('visibilitychange', { bubbles: true }));
  }, state);

describe('tabs of one browser', () => {
  it('share one stream, so that the eighth opens like the first, and all are updated live', async () => {
    const first = await enter();
    const context = first.context();
    const open = new Set<Request>();
    context.on('request', (request) => isStream(request) && open.add(request));
    context.on('requestfailed', (request) => open.delete(request));
    context.on('requestfinished', (request) => open.delete(request));
    const pages = [first];
    while (pages.length < 8) {
      pages.push(await context.newPage());
    }
    for (const page of pages) {
      await openPage(page, notes());
    }
    await write('Seen by all');
    for (const page of pages) {
      await page.getByRole('link', { name: 'Seen by all' }).waitFor();
    }
    expect(open.size).toBe(1);
    // When the tab with the stream closes, another takes over from the head of its own notes.
    const [held] = open;
    const holder = held?.frame().page();
    await holder?.close();
    // Only this one: the next may be open already.
    open.forEach((request) => request === held && open.delete(request));
    await write('Seen by the others');
    for (const page of pages.filter((each) => each !== holder)) {
      await page.getByRole('link', { name: 'Seen by the others' }).waitFor();
    }
    while (open.size === 0) {
      await sleep(50);
    }
    expect(open.size).toBe(1);
  });

  it('hold no stream while nobody uses them, which would keep their session alive', async () => {
    const page = await enter();
    await page.clock.install();
    const streaming = page.waitForRequest(isStream);
    await openPage(page, notes());
    await streaming;
    const ended = page.waitForEvent('requestfailed', isStream);
    await page.clock.fastForward('31:00');
    await ended;
    const again = page.waitForRequest(isStream);
    await page.mouse.move(10, 10);
    await page.mouse.move(20, 20);
    expect(isStream(await again)).toBe(true);
  });

  it('hold no stream while hidden, and catch up when visible', async () => {
    const page = await enter();
    const streaming = page.waitForRequest(isStream);
    await openPage(page, notes());
    await streaming;
    const ended = page.waitForEvent('requestfailed', isStream);
    await show(page, 'hidden');
    await ended;
    await write('Written unseen');
    const again = page.waitForRequest(isStream);
    await show(page, 'visible');
    await again;
    const link = page.getByRole('link', { name: 'Written unseen' });
    await link.waitFor();
    expect(await link.count()).toBe(1);
  });
});

describe('a list that is updated live', () => {
  it('keeps the focus on a note while others are written', async () => {
    const page = await enter();
    await write('Focused');
    await openPage(page, notes());
    await page.getByRole('link', { name: 'Focused' }).focus();
    await write('Written meanwhile');
    await page.getByRole('link', { name: 'Written meanwhile' }).waitFor();
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Focused');
  });

  it('shows notes also while others are written faster than it loads', async () => {
    const page = await enter();
    await openPage(page, notes());
    await page.route(/\/api\/notes(?:\/folders)?\?/, async (route) => {
      await sleep(400);
      await route.fallback();
    });
    const seen = new AbortController();
    const writing = (async () => {
      while (!seen.signal.aborted) {
        await write('Among many');
        await sleep(50);
      }
    })();
    const first = page.getByRole('link', { name: 'Among many' }).first();
    await first.waitFor().finally(() => seen.abort());
    await writing;
    expect(await first.isVisible()).toBe(true);
  });

  it('does not hold up the page while a list that nobody looks at is loading', async () => {
    const id = randomUUID();
    await must(agent, `PUT /api/notes/${id}`, { title: 'Open note' });
    const page = await enter();
    const streaming = page.waitForRequest(isStream);
    await openPage(page, at(`/notes/${id}`));
    await streaming;
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    await page.route(/\/api\/notes\?/, async (route) => {
      await released;
      await route.fallback();
    });
    const preload = page.waitForRequest(/\/api\/notes\?/);
    await page.getByRole('link', { name: 'Notes', exact: true }).hover();
    await preload;
    const reload = page.waitForRequest(new RegExp(`/api/notes/${id}$`));
    await write('Written during a preload');
    await reload;
    await page.getByRole('link', { name: 'Agents', exact: true }).click();
    const heading = page.getByRole('heading', { name: 'Agents', level: 1 });
    await heading.waitFor().finally(release);
    expect(await heading.isVisible()).toBe(true);
  });
});
