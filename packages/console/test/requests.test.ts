import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { openPage } from '../tools/wait-until-idle.ts';
import { acmeConsole } from './support/acme-console.ts';
import { withoutPolling } from './support/without-polling.ts';

const { at, agent, enter } = acmeConsole();

/** Counts the requests to each address of the API from now on. */
const countReads = (page: Page): Map<string, number> => {
  const counts = new Map<string, number>();
  page.on('request', (request) => {
    const { pathname, search } = new URL(request.url());
    const isStream = request.headers()['accept']?.includes('text/event-stream') ?? false;
    if (request.method() === 'GET' && pathname.startsWith('/api/') && !isStream) {
      counts.set(pathname + search, (counts.get(pathname + search) ?? 0) + 1);
    }
  });
  return counts;
};

/** The addresses with more requests than that, except the session, which is polled. */
const moreThan = (max: number, counts: ReadonlyMap<string, number>): readonly string[] =>
  [...counts]
    .filter(([path, count]) => count > max && path !== '/api/auth/session')
    .map(([path, count]) => `${count} x ${path}`);

describe('a page that opens', () => {
  it.each([
    ['the dashboard', ''],
    ['the agents', '/agents'],
    ['the org chart', '/org-chart'],
    ['the credentials', '/credentials'],
    ['the members', '/members'],
    ['the activity', '/activity'],
    ['the settings', '/settings'],
  ])('reads every list once: %s', async (_, section) => {
    const page = await enter();
    // What is read at intervals would be read again by a page that takes so long to open.
    await withoutPolling(page);
    const counts = countReads(page);
    await openPage(page, at(section));
    expect(counts.size).toBeGreaterThan(1);
    expect(moreThan(1, counts)).toEqual([]);
  });

  it('loads the notes once, and once more for each later change', async () => {
    const page = await enter();
    await withoutPolling(page);
    const counts = countReads(page);
    const streaming = page.waitForResponse((response) =>
      (response.headers()['content-type'] ?? '').includes('text/event-stream'),
    );
    await openPage(page, at('/notes'));
    await streaming;
    // The first event of the feed precedes the event of this change.
    const id = randomUUID();
    await agent('PUT', `/api/notes/${id}`, { body: { title: 'After the opening' } });
    await page.getByRole('link', { name: 'After the opening' }).waitFor();
    const lists = [...counts].filter(([path]) => path.startsWith('/api/notes?pinned='));
    expect(lists.map(([, count]) => count)).toEqual([2, 2]);
    expect(moreThan(2, counts)).toEqual([]);
  });

  it('loads a note once', async () => {
    const page = await enter();
    const counts = countReads(page);
    const id = randomUUID();
    await agent('PUT', `/api/notes/${id}`, { body: { title: 'First title' } });
    const streaming = page.waitForResponse((response) =>
      (response.headers()['content-type'] ?? '').includes('text/event-stream'),
    );
    await openPage(page, at(`/notes/${id}`));
    await streaming;
    await agent('PUT', `/api/notes/${id}`, { body: { title: 'Second title' } });
    await page.getByRole('heading', { name: 'Second title' }).waitFor();
    expect(counts.get(`/api/notes/${id}`)).toBe(2);
  });
});
