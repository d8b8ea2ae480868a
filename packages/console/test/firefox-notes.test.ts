import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { bearer, createApi, type Api } from '@commonplace/e2e';
import { must } from '../tools/must.ts';
import { acmeInFirefox } from './support/acme-in-firefox.ts';
import { hasFirefox, heading, written } from './support/firefox.ts';

const describeInFirefox = hasFirefox ? describe : describe.skip;

const pixel = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==',
  'base64',
);

describeInFirefox('in Firefox, a note', () => {
  const { at, agent, opened, subject } = acmeInFirefox();
  let bo: Api;
  beforeAll(async () => {
    const { system, world } = subject();
    const { companyId } = world.acme;
    const board = system.as(await system.boardHeaders());
    const made = await must(board, `POST /api/companies/${companyId}/agents`, {
      name: 'Bo',
      role: 'editor',
    });
    const { key } = await must(board, `POST /api/agents/${String(made['id'])}/keys`, {
      name: 'laptop',
    });
    bo = createApi({ baseUrl: system.baseUrl, headers: bearer(String(key)) });
  });

  const write = async (note: object, id: string = randomUUID(), by: Api = agent) => {
    await must(by, `PUT /api/notes/${id}`, note);
    return id;
  };

  it('has each paragraph, title and table at the side of its script, and code left to right', async () => {
    const { page, open, seen } = opened();
    const content = [
      'مرحبا بالعالم',
      'An English paragraph',
      'الأمر `ls -la` هنا',
      '| المنتج | العدد |\n|---|---|\n| تفاح | ١ |',
    ].join('\n\n');
    const id = await write({ title: 'خطة الإطلاق', content });
    await page.setViewport({ width: 1600, height: 900 });
    await open(at(`/notes/${id}`));
    await seen(written('self::td', 'تفاح'));
    const sides = await page.$$eval('main :is(h1, p, td)', (blocks) =>
      blocks.map((block) => {
        const range = document.createRange();
        range.selectNodeContents(block);
        const [words, box] = [range.getBoundingClientRect(), block.getBoundingClientRect()];
        const isRight = words.left - box.left > box.right - words.right;
        return [block.textContent ?? '', isRight ? 'right' : 'left'];
      }),
    );
    expect(Object.fromEntries(sides)).toMatchObject({
      'خطة الإطلاق': 'right',
      'مرحبا بالعالم': 'right',
      'An English paragraph': 'left',
      'الأمر ls -la هنا': 'right',
      تفاح: 'right',
    });
    expect(await page.$eval('main p code', (code) => getComputedStyle(code).direction)).toBe('ltr');
    await page.setViewport({ width: 1280, height: 800 });
  });

  it('is written in focus mode without navigation and details, until Escape', async () => {
    const { page, open, click, seen, gone } = opened();
    const id = await write({ title: 'Alone', content: 'one\n' });
    await open(at(`/notes/${id}/edit`));
    await seen('.cm-content');
    await click('Focus');
    await gone('nav[aria-label="Main"]');
    await gone('[aria-label="Details"]');
    await page.locator('.cm-content').click();
    await page.keyboard.type('zero, ');
    // The first one may be for a completion that is being looked for.
    while ((await page.$('[aria-label="Details"]')) === null) {
      await page.keyboard.press('Escape');
      await sleep(200);
    }
    await seen('nav[aria-label="Main"]');
    await click('Done');
    await seen(heading('Alone'));
    expect((await must(agent, `GET /api/notes/${id}`))['content']).toContain('zero, ');
  });

  it('shows images of this server, and of others only once the operator chose them', async () => {
    const { page, open, seen, gone } = opened();
    const loaded: string[] = [];
    await page.setRequestInterception(true);
    page.on('request', (request) => {
      const url = request.url();
      if (url.startsWith('https://images.example.org/')) {
        loaded.push(`${url} ${request.headers()['referer'] ?? 'no referer'}`);
        void request.respond({ contentType: 'image/png', body: pixel });
      } else {
        void request.continue().catch(() => undefined);
      }
    });
    const id = await write({
      title: 'Pictures',
      content: '![ours](/favicon.svg)\n\n![theirs](https://images.example.org/p.png)\n',
    });
    await open(at(`/notes/${id}`));
    await seen('main img[alt="ours"]');
    await seen(written('self::a', 'theirs'));
    expect(loaded).toEqual([]);
    const shown = '::-p-xpath(//label[contains(., "Show images from other servers")])';
    await open('/account');
    await page.locator(shown).click();
    await page.waitForFunction(() => document.cookie.includes('commonplace_images=all'));
    await open(at(`/notes/${id}`));
    await seen('main img[alt="theirs"]');
    expect(loaded).toEqual(['https://images.example.org/p.png no referer']);
    await open('/account');
    await page.locator(shown).click();
    await page.waitForFunction(() => !document.cookie.includes('commonplace_images'));
    await open(at(`/notes/${id}`));
    await seen(written('self::a', 'theirs'));
    await gone('main img[alt="theirs"]');
    expect(loaded).toHaveLength(1);
    page.removeAllListeners('request');
    await page.setRequestInterception(false);
  });

  it('has a history in which any two versions are compared, in an address', async () => {
    const { page, open, click, seen } = opened();
    const title = 'Growing';
    const id = await write({ title, content: 'first words\n' });
    await write({ title, content: 'second words\n' }, id, bo);
    await write({ title, content: 'third words\n', tags: ['tea'] }, id);
    await open(at(`/notes/${id}/history`));
    await click('Show text of revision 1');
    await seen('[aria-label="Text of revision 1"]');
    await click('Compare revision 1', 'input');
    await click('Compare revision 3', 'input');
    const compared = '[aria-label="Revision 1 compared with revision 3"]';
    await seen(`${compared} [aria-label="Differences"]`);
    await page.reload();
    await seen(`${compared} [aria-label="Differences"]`);
    expect(
      await page.$eval(`${compared} [aria-label="Differences"]`, (lines) => lines.textContent),
    ).toMatch(/- first words\n\+ third words/);
  });

  it('says beside its text who wrote what, in lines of their own', async () => {
    const { page, open, click, seen, gone } = opened();
    const id = await write({ title: 'By two', content: 'By Ada.\n' });
    await write({ title: 'By two', content: 'By Ada.\n\nBy Bo.\n' }, id, bo);
    await open(at(`/notes/${id}`));
    await click('Authors', 'a');
    await seen(written('self::a', 'Bo'));
    const topOf = (selector: string) =>
      page.$eval(selector, (element) => element.getBoundingClientRect().top);
    for (const name of ['Ada', 'Bo']) {
      const label = await topOf(written('self::a', name));
      const block = await topOf(written('self::p', `By ${name}.`));
      expect(Math.abs(label - block)).toBeLessThan(45);
    }
    await click('Hide authors', 'a');
    await gone(written('self::a', 'Bo'));
  });

  it('stays when one is offline and clicks on a section that was never opened', async () => {
    const { page, open, click, seen } = opened();
    await open(at('/agents?q=Ada'));
    await page.setOfflineMode(true);
    await click('Activity', 'a');
    await seen('::-p-text(You are offline, and that page was not opened before.)');
    await seen(heading('Agents'));
    expect(new URL(page.url()).pathname).toBe(at('/agents'));
    await page.setOfflineMode(false);
    await click('Activity', 'a');
    await seen(heading('Activity'));
  });
});
