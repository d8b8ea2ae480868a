import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import type { Page, Request, Route } from 'playwright-core';
import { must } from '../tools/must.ts';
import { openPage } from '../tools/wait-until-idle.ts';
import { acmeConsole } from './support/acme-console.ts';
import { createConflict } from './support/create-conflict.ts';
import { expectNoAxeViolations } from './support/axe.ts';

const { at, agent, enter, killGateway, untilGatewayIsBack } = acmeConsole({
  mode: 'authenticated',
});

const write = async (title: string): Promise<string> => {
  const id = randomUUID();
  await must(agent, `PUT /api/notes/${id}`, { title, content: 'one\n' });
  return id;
};

const contentOf = async (id: string): Promise<unknown> =>
  (await must(agent, `GET /api/notes/${id}`))['content'];

const problem = (status: number, code: string, detail: string) => ({
  status,
  contentType: 'application/problem+json',
  headers: status === 429 ? { 'retry-after': '60' } : {},
  body: JSON.stringify({ type: 'about:blank', title: code, status, detail, code }),
});

const unavailable = problem(503, 'service_unavailable', 'Service unavailable, retry after 1 s.');
const tooMany = problem(429, 'rate_limited', 'Too many requests.');
const forbidden = problem(403, 'forbidden', 'Your role may not do this.');

/** Sends this response to the requests of a page that match, until the returned function is called. */
const refuse = async (
  page: Page,
  matches: (path: string, method: string) => boolean,
  response: ReturnType<typeof problem>,
) => {
  const handle = (route: Route) => {
    const request = route.request();
    const isRefused = matches(new URL(request.url()).pathname, request.method());
    return isRefused ? route.fulfill(response) : route.fallback();
  };
  await page.route('**/api/**', handle);
  return () => page.unroute('**/api/**', handle);
};

const isWrite = (path: string, method: string): boolean =>
  method !== 'GET' && path.startsWith('/api/notes');

const openEditor = async (id: string): Promise<Page> => {
  const page = await enter();
  await openPage(page, at(`/notes/${id}/edit`));
  await page.getByLabel('Content').click();
  await page.keyboard.press('Control+Home');
  return page;
};

const save = (page: Page) => page.getByRole('button', { name: 'Done', exact: true }).click();

/** Waits for the saved note. If the page gave up before the server was back, does what it says: saves again. */
const untilSaved = async (page: Page, title: string): Promise<void> => {
  const saved = page.getByRole('heading', { name: title, exact: true });
  const refused = page.getByText('Nothing is lost');
  await saved.or(refused).first().waitFor();
  if (await refused.isVisible()) {
    await untilGatewayIsBack();
    await save(page);
    await saved.waitFor();
  }
};

describe('a slow server', () => {
  it('shows that it loads, and then every section', async () => {
    const page = await enter();
    await page.route('**/api/**', async (route) => {
      await sleep(1_500);
      await route.fallback();
    });
    await page.goto(at(''));
    await page.getByRole('status', { name: 'Loading' }).first().waitFor();
    await page.getByRole('heading', { name: 'Running now' }).waitFor();
    await page.waitForFunction(
      () => document.querySelector('[role="status"][aria-label="Loading"]') === null,
    );
    expect(await page.getByRole('alert').count()).toBe(0);
  });

  it('does not lose what is typed while a save is on its way', async () => {
    const id = await write('Slowly saved');
    const page = await openEditor(id);
    await page.route('**/api/notes/*', async (route) => {
      await sleep(route.request().method() === 'PUT' ? 2_000 : 0);
      await route.fallback();
    });
    await page.keyboard.type('first, ');
    await page.keyboard.press('Control+s');
    await page.keyboard.type('second, ');
    await page.getByText('Saved.').waitFor();
    const saved = page.waitForResponse((response) => response.request().method() === 'PUT');
    await page.keyboard.press('Control+s');
    await saved;
    expect(await contentOf(id)).toBe('first, second, one\n');
  });
});

describe('a server that refuses to save', () => {
  const refusals = [
    [unavailable, 'Service unavailable'],
    [tooMany, 'Too many requests'],
    [forbidden, 'Your role may not do this'],
  ] as const;

  it('is quoted, and the text stays, also over a reload: unavailable, too many requests, not allowed', async () => {
    await Promise.all(refusals.map(([response, text]) => expectKept(response, text)));
  });

  const expectKept = async (response: ReturnType<typeof problem>, text: string): Promise<void> => {
    const id = await write('Refused');
    const page = await openEditor(id);
    const allow = await refuse(page, isWrite, response);
    await page.keyboard.type('kept words, ');
    await save(page);
    const alert = page.getByRole('alert');
    await alert.getByText(text).waitFor();
    await alert.getByText('Nothing is lost').waitFor();
    await page.getByLabel('Content').getByText('kept words, one').waitFor();
    await page.waitForFunction(() => JSON.stringify(localStorage).includes('kept words'));
    page.on('dialog', (dialog) => void dialog.accept());
    await page.reload();
    await page.getByLabel('Content').getByText('kept words, one').waitFor();
    await allow();
    await save(page);
    await page.getByRole('heading', { name: 'Refused', exact: true }).waitFor();
    expect(await contentOf(id)).toBe('kept words, one\n');
  };
});

describe('a server that requests a pause', () => {
  const paused = { ...tooMany, headers: { 'retry-after': '5' } };

  it('is waited for in words: the text is safe, and saved by itself at the time that is said', async () => {
    const id = await write('Paused');
    const page = await openEditor(id);
    const allow = await refuse(page, isWrite, paused);
    await page.keyboard.type('kept words, ');
    await page.keyboard.press('Control+s');
    const alert = page.getByRole('alert');
    await alert.getByText(/Nothing is lost.* is saved by itself at \d/).waitFor();
    await page.getByText('Not saved, kept in this browser').waitFor();
    await allow();
    await page.getByText('Saved.', { exact: true }).waitFor();
    const shown = page.getByRole('main').getByRole('alert');
    expect([await contentOf(id), await shown.count()]).toEqual(['kept words, one\n', 0]);
  });

  it('is quoted where a conflict is resolved, at once and not after the pause', async () => {
    const { copyId } = await createConflict(agent, 'Paused', ['one\n', 'two\n', 'three\n']);
    const page = await enter();
    await openPage(page, at(`/notes/${copyId}/conflict`));
    await refuse(page, isWrite, paused);
    await page.getByRole('button', { name: 'Keep both' }).click();
    await page.getByRole('alert').getByText('Try again in 5 seconds.').waitFor();
    expect(await page.getByRole('button', { name: 'Keep both' }).isEnabled()).toBe(true);
  });
});

describe('a server that refuses to load', () => {
  const pages = [
    ['Agents', '/agents', /\/agents$/],
    ['Members', '/members', /\/members$/],
    ['Activity', '/activity', /\/activity$/],
    ['Notes', '/notes', /\/api\/notes$/],
  ] as const;

  it('is quoted, and the page recovers without a click: agents, members, activity, notes', async () => {
    // All at once: each takes the seconds until a page tries again.
    await Promise.all(pages.map(([title, section, path]) => expectRecovery(title, section, path)));
  });

  const expectRecovery = async (title: string, section: string, path: RegExp): Promise<void> => {
    const page = await enter();
    const allow = await refuse(page, (requested) => path.test(requested), unavailable);
    await page.goto(at(section));
    await page.getByRole('heading', { name: title, level: 1 }).waitFor();
    await page.getByRole('alert').first().waitFor();
    await page.getByRole('button', { name: 'Try again' }).first().waitFor();
    await allow();
    await page.getByRole('alert').first().waitFor({ state: 'detached' });
    expect(await page.getByRole('button', { name: 'Try again' }).count()).toBe(0);
  };

  it('leaves what was loaded where it is, with one line about its age, which goes by itself', async () => {
    const page = await enter();
    await openPage(page, at(''));
    await page.getByRole('heading', { name: 'Usage by model' }).waitFor();
    // Sections above it may come later.
    let placesBefore: readonly string[] = [];
    while (String(placesBefore) !== String(await placesOf(page))) {
      placesBefore = await placesOf(page);
      await sleep(500);
    }
    const allow = await refuse(page, (_path, method) => method === 'GET', unavailable);
    const line = page.getByText('This page may be out of date.');
    while (!(await line.isVisible())) {
      // The page loads again what is stale.
      await page.evaluate(() => window.dispatchEvent(new Event('visibilitychange')));
      await page.waitForTimeout(200);
    }
    expect(await page.getByRole('alert').count()).toBe(0);
    expect(await placesOf(page)).toEqual(placesBefore);
    await expectNoAxeViolations(page);
    await allow();
    await line.waitFor({ state: 'detached' });
    expect(await page.getByRole('alert').count()).toBe(0);
    expect(await placesOf(page)).toEqual(placesBefore);
  });

  /** The headings of a page, with the distance of each from its top. */
  const placesOf = (page: Page): Promise<readonly string[]> =>
    page
      .locator('#main :is(h1, h2)')
      .evaluateAll((all) =>
        all.map((each) => `${each.textContent} ${Math.round(each.getBoundingClientRect().top)}`),
      );

  it('a whole page, which then opens by itself', async () => {
    const id = await write('Behind a wall');
    const page = await enter();
    const allow = await refuse(page, (path) => path === `/api/notes/${id}`, unavailable);
    await page.goto(at(`/notes/${id}/edit`));
    await page.getByRole('heading', { name: 'This page could not be loaded' }).waitFor();
    await page.getByText('The page tries again by itself.').waitFor();
    await allow();
    await page.getByRole('heading', { name: 'Edit Behind a wall' }).waitFor();
    expect(await page.getByRole('alert').count()).toBe(0);
  });

  it('a part of the console: says so, keeps the page, and loads it the next time', async () => {
    const id = await write('Not left');
    const page = await openEditor(id);
    await page.keyboard.type('kept words, ');
    await page.route('**/assets/**', (route) => route.abort());
    await page.getByRole('link', { name: 'Notes', exact: true }).click();
    await page.getByText('This could not be loaded').waitFor();
    await page.getByLabel('Content').getByText('kept words, one').waitFor();
    await page.getByRole('button', { name: 'Account menu' }).click();
    await page.getByText('This could not be loaded').nth(1).waitFor();
    await page.unroute('**/assets/**');
    await page.getByRole('button', { name: 'Account menu' }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('link', { name: 'Notes', exact: true }).click();
    await page.getByRole('dialog', { name: 'Leave without saving?' }).waitFor();
    expect(new URL(page.url()).pathname).toMatch(/\/edit$/);
  });

  it('a part that no page needs at once: the page stays, and the part loads when it can', async () => {
    const page = await enter();
    await page.route('**/assets/notification-list*', (route) => route.abort());
    const failed: Request[] = [];
    page.on('requestfailed', (request) => failed.push(request));
    await openPage(page, at('/notes'));
    while (failed.filter((request) => request.url().includes('notification-list')).length < 2) {
      await page.waitForTimeout(50);
    }
    const loaded = page.waitForResponse(
      (response) => response.url().includes('notification-list') && response.ok(),
    );
    await page.unroute('**/assets/notification-list*');
    await loaded;
    await page.getByRole('heading', { name: 'Notes', level: 1 }).waitFor();
    expect(await page.getByRole('alert').count()).toBe(0);
  });

  it('the code of an editor: title and fields come without it, and the text once it is there', async () => {
    const id = await write('Without its editor');
    const page = await enter();
    const released = Promise.withResolvers<void>();
    await page.route('**/assets/markdown-editor*.js', async (route) => {
      await released.promise;
      await route.fallback();
    });
    await page.goto(at(`/notes/${id}/edit`));
    await page.getByRole('heading', { name: 'Edit Without its editor' }).waitFor();
    await page.getByRole('textbox', { name: 'Title' }).waitFor();
    expect(await page.getByLabel('Content').getByText('one').count()).toBe(0);
    released.resolve();
    await page.getByLabel('Content').getByText('one').waitFor();
  });
});

describe('a server of another version, without the files of the page', () => {
  const missing = { status: 404, contentType: 'text/plain', body: 'Not found' };

  it('has the page loaded again once for a part, which is there then', async () => {
    const page = await enter();
    let requests = 0;
    await page.route('**/assets/notification-list*.js', async (route) => {
      requests += 1;
      await (requests === 1 ? route.fulfill(missing) : route.fallback());
    });
    const loaded = page.waitForResponse(
      (response) => response.url().includes('notification-list') && response.ok(),
    );
    await page.goto(at('/notes'));
    await loaded;
    await page.getByRole('heading', { name: 'Notes', level: 1 }).waitFor();
    const kept = await page.evaluate(() => Object.values(sessionStorage));
    expect(kept.filter((each) => String(each).includes('notification-list'))).toHaveLength(1);
  });

  it('keeps a page with unsaved work, and says that it has to be loaded again', async () => {
    const id = await write('Kept over an upgrade');
    const page = await openEditor(id);
    await page.keyboard.type('kept words, ');
    await page.route('**/assets/**', (route) => route.fulfill(missing));
    await page.getByRole('button', { name: 'Account menu' }).click();
    await page.getByText('the server runs another version. Reload the page.').waitFor();
    await page.getByLabel('Content').getByText('kept words, one').waitFor();
    expect(await contentOf(id)).toBe('one\n');
  });
});

describe('a gateway that is killed', () => {
  it('while a note is written: a save goes through once it is back', async () => {
    const id = await write('Outlived');
    const page = await openEditor(id);
    await page.keyboard.type('typed before, ');
    await killGateway();
    await page.keyboard.type('typed after, ');
    await save(page);
    await untilSaved(page, 'Outlived');
    expect(await contentOf(id)).toBe('typed before, typed after, one\n');
  });

  it('while a save is on its way: the text is saved once', async () => {
    const id = await write('Cut off');
    const page = await openEditor(id);
    await page.keyboard.type('typed before, ');
    await Promise.all([save(page), killGateway()]);
    await untilSaved(page, 'Cut off');
    const note = await must(agent, `GET /api/notes/${id}`);
    expect([note['content'], note['revision']]).toEqual(['typed before, one\n', 2]);
  });

  it('while a list is open: it shows by itself what was written afterwards', async () => {
    const page = await enter();
    await openPage(page, at('/notes'));
    await killGateway();
    await untilGatewayIsBack();
    await write('Written after the restart');
    await page.getByRole('link', { name: 'Written after the restart' }).waitFor();
    // Each part of the page sees for itself that the server is back.
    await page.waitForFunction(() => document.querySelector('[role="alert"]') === null);
    expect(await page.getByRole('link', { name: 'Written after the restart' }).count()).toBe(1);
  });
});
