import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { bearer, createApi } from '@commonplace/e2e';
import type { HTTPRequest } from 'puppeteer-core';
import { must } from '../tools/must.ts';
import { acmeInFirefox } from './support/acme-in-firefox.ts';
import { field, hasFirefox, heading, written } from './support/firefox.ts';
import { killGateway, untilGatewayIsBack } from './support/gateway-faults.ts';

const describeInFirefox = hasFirefox ? describe : describe.skip;

describeInFirefox('in Firefox, an operator', () => {
  const { at, agent, opened, subject } = acmeInFirefox();
  const write = async (note: object, id: string = randomUUID()): Promise<string> => {
    await must(agent, `PUT /api/notes/${id}`, note);
    return id;
  };
  const contentOf = async (id: string): Promise<unknown> =>
    (await must(agent, `GET /api/notes/${id}`))['content'];

  /** Opens the editor of a note and types at its beginning. */
  const typeInto = async (id: string, text: string): Promise<void> => {
    const { page, open } = opened();
    await open(at(`/notes/${id}/edit`));
    await page.locator('.cm-content').click();
    await page.keyboard.down('Control');
    await page.keyboard.press('Home');
    await page.keyboard.up('Control');
    await page.keyboard.type(text);
  };

  /** Handles the requests of the page until the returned function is called. */
  const intercept = async (handle: (request: HTTPRequest) => Promise<void>) => {
    const { page } = opened();
    // A request that the page has aborted meanwhile cannot go on.
    const listener = (request: HTTPRequest) => void handle(request).catch(() => undefined);
    await page.setRequestInterception(true);
    page.on('request', listener);
    return async (): Promise<void> => {
      page.off('request', listener);
      await page.setRequestInterception(false);
    };
  };

  it('creates an agent, whose dialog returns the focus, and a key', async () => {
    const { page, open, click, fill, seen } = opened();
    await open(at('/agents'));
    await click('New agent');
    await fill('Name', 'Fenn');
    await fill('Role', 'scout');
    await click('Create agent');
    await seen(heading('Fenn'));
    await click('Keys');
    await click('New key');
    await page.locator('[role="dialog"] input').fill('first');
    await click('Create key');
    await seen('[aria-label="API key"]');
    const key = await page.$eval('[aria-label="API key"]', (code) => code.textContent ?? '');
    const { baseUrl } = subject().system;
    const me = await createApi({ baseUrl, headers: bearer(key) })('GET', '/api/agents/me');
    expect(me.status).toBe(200);
  });

  it('moves several notes to another folder', async () => {
    const { open, click, seen } = opened();
    const folder = `fox-${randomUUID().slice(0, 8)}`;
    const ids = [await write({ title: 'Den', folder }), await write({ title: 'Burrow', folder })];
    await open(at(`/notes?folder=${folder}`));
    await click('Select the notes in view', 'input');
    await click('Move…');
    await opened().page.locator('[role="dialog"] input').fill(`${folder}-away`);
    await click('Move');
    await seen('::-p-text(2 notes moved.)');
    const folders = await Promise.all(
      ids.map(async (id) => (await must(agent, `GET /api/notes/${id}`))['folder']),
    );
    expect(folders).toEqual([`${folder}-away`, `${folder}-away`]);
  });

  it('resolves a conflict', async () => {
    const { open, click, seen } = opened();
    const id = await write({ title: 'Disputed', content: 'base\n' });
    await write({ title: 'Disputed', content: 'this\n' }, id);
    const note = { title: 'Disputed', content: 'that\n' };
    await must(agent, 'POST /api/sync', {
      clientId: 'console-test',
      changes: [{ mutationId: randomUUID(), id, op: 'put', baseRevision: 1, note }],
    });
    await open(at('/notes?show=conflicts'));
    await click('Disputed', 'a');
    await click('Keep Ada’s unmerged version');
    await seen(written('self::p', 'that'));
    expect(await contentOf(id)).toBe('that\n');
  });

  it('filters runs by their outcome', async () => {
    const { page, open, seen, gone } = opened();
    const { run } = (await must(agent, `POST /api/agents/${subject().world.acme.agentId}/runs`, {
      reserveCents: 1,
    })) as { readonly run: { readonly id: string } };
    await open(at('/runs'));
    await seen(`a[href*="${run.id}"]`);
    await page.locator(field('Outcome')).click();
    await page.locator(written('@role = "option"', 'failed')).click();
    await gone(`a[href*="${run.id}"]`);
    expect(new URL(page.url()).search).toContain('failed');
  });

  it('reads why a save was refused, keeps the text, and saves it later', async () => {
    const { click, seen } = opened();
    const id = await write({ title: 'Refused', content: 'one\n' });
    await typeInto(id, 'kept words, ');
    const allow = await intercept((request) =>
      request.method() === 'PUT'
        ? request.respond({
            status: 503,
            contentType: 'application/problem+json',
            body: JSON.stringify({
              type: 'about:blank',
              title: 'Service unavailable',
              status: 503,
              detail: 'Service unavailable, retry after 1 s.',
              code: 'service_unavailable',
            }),
          })
        : request.continue(),
    );
    await click('Done');
    await seen('::-p-text(Nothing is lost)');
    await allow();
    await click('Done');
    await seen(heading('Refused'));
    expect(await contentOf(id)).toBe('kept words, one\n');
  });

  it('sees sections load late, without an error, when the server is slow', async () => {
    const { page, open, click, seen, gone } = opened();
    await open(at('/notes'));
    const hurry = await intercept(async (request) => {
      await sleep(request.url().includes('/api/') ? 1_500 : 0);
      await request.continue();
    });
    await click('Dashboard', 'a');
    await seen('[role="status"][aria-label="Loading"]');
    await seen(heading('Running now'));
    await gone('[role="status"][aria-label="Loading"]');
    expect(await page.$('[role="alert"]')).toBeNull();
    await hurry();
  });

  it('writes on while the gateway is killed, and saves', async () => {
    const { click, seen } = opened();
    const id = await write({ title: 'Outlived', content: 'one\n' });
    await typeInto(id, 'typed before, ');
    await killGateway(subject().system);
    await opened().page.keyboard.type('typed after, ');
    await untilGatewayIsBack(subject().system);
    await click('Done');
    await seen(heading('Outlived'));
    expect(await contentOf(id)).toBe('typed before, typed after, one\n');
  });

  it('sees in an open list what was written after a restart', async () => {
    const { open, seen } = opened();
    await open(at('/notes'));
    await killGateway(subject().system);
    await untilGatewayIsBack(subject().system);
    await write({ title: 'Written after the restart' });
    await seen('main a::-p-text(Written after the restart)');
    expect(await opened().page.$('[role="alert"]')).toBeNull();
  });
});
