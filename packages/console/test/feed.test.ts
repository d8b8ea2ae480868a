import { describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import type { Page, Request } from 'playwright-core';
import { must } from '../tools/must.ts';
import { openPage } from '../tools/wait-until-idle.ts';
import { acmeConsole } from './support/acme-console.ts';

const { at, agent, enter } = acmeConsole();

const notes = (): string => at('/notes');

const write = (title: string) => must(agent, `PUT /api/notes/${randomUUID()}`, { title });

const isStream = (request: Request): boolean =>
  request.headers()['accept']?.includes('text/event-stream') ?? false;

/** Tells the page that it is seen, or not: a browser without a window shows every tab. */
const show = (page: Page, state: 'visible' | 'hidden'): Promise<void> =>
  page.evaluate((visibility) => {
    Object.defineProperty(document, 'visibilityState', { value: visibility, configurable: true });
    document.dispatchEvent(new Event('visibilitychange'));
  }, state);

describe('tabs of one browser', () => {
  it('share one stream, so that the eighth opens like the first, and all of them are live', async () => {
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
    // The one that holds the stream goes; another takes over, from where the notes it shows were read.
    const [held] = open;
    const holder = held?.frame().page();
    await holder?.close();
    open.clear();
    await write('Seen by the others');
    for (const page of pages.filter((each) => each !== holder)) {
      await page.getByRole('link', { name: 'Seen by the others' }).waitFor();
    }
    expect(open.size).toBe(1);
  });

  it('hold no stream while nobody sees them, and catch up when somebody does', async () => {
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
