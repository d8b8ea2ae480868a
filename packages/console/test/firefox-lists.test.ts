import { randomUUID } from 'node:crypto';
import { mkdtempSync } from 'node:fs';
import { readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { unzipSync } from 'fflate';
import { must } from '../tools/must.ts';
import { acmeInFirefox } from './support/acme-in-firefox.ts';
import { field, hasFirefox, heading, written } from './support/firefox.ts';

const describeInFirefox = hasFirefox ? describe : describe.skip;

describeInFirefox('in Firefox, a list of notes', () => {
  const downloads = mkdtempSync(join(tmpdir(), 'commonplace-firefox-'));
  const { at, agent, opened } = acmeInFirefox({ downloadFolder: () => downloads });
  afterAll(() => rm(downloads, { recursive: true, force: true }));

  const push = (folder: string, count: number): Promise<unknown> =>
    must(agent, 'POST /api/sync', {
      clientId: folder,
      changes: Array.from({ length: count }, (_, index) => ({
        mutationId: `${index}`,
        id: randomUUID(),
        op: 'put',
        baseRevision: null,
        note: {
          title: `${folder} ${String(index).padStart(3, '0')}`,
          content: `beginning of ${index}`,
          folder,
        },
      })),
    });
  beforeAll(async () => {
    await push('den', 5);
    await push('warren', 150);
  });

  const title = (name: string): string => written('self::a and @data-title', name);
  const isFocused = (name: string) =>
    opened().page.waitForFunction((text) => document.activeElement?.textContent === text, {}, name);
  /** On the page itself, not in a field. */
  const press = async (...keys: readonly string[]): Promise<void> => {
    for (const key of keys) {
      await opened().page.keyboard.press(key as 'a');
    }
  };

  it('is walked with j and k, x selects and e edits', async () => {
    const { page, open, seen } = opened();
    await open(at('/notes?folder=den&sort=title'));
    await seen(title('den 004'));
    await page.focus('#main');
    await press('j', 'j');
    await isFocused('den 001');
    await seen('::-p-text(beginning of 1)');
    await press('x', 'k', 'x');
    await seen('::-p-text(2 notes selected)');
    await page.waitForFunction(() => document.activeElement?.ariaLabel === 'Select den 000');
    await press('e');
    await seen(heading('Edit den 000'));
    expect(new URL(page.url()).pathname).toMatch(/\/edit$/);
  });

  it('is left with g and a letter, and c begins a note, which takes letters as text', async () => {
    const { page, open, click, seen } = opened();
    await open(at('/notes'));
    await page.focus('#main');
    await press('g', 'a');
    await seen(heading('Agents'));
    await press('g', 'n');
    await seen(heading('Notes'));
    await press('c');
    await seen(heading('New note'));
    await page.locator(field('Title')).click();
    await page.keyboard.type('jgn');
    expect(await page.$eval('input[aria-label="Title"]', (input) => input.value)).toBe('jgn');
    await click('Done');
    await seen(heading('jgn'));
  });

  it('has rows that Shift selects, up to the one that is clicked', async () => {
    const { page, open, seen } = opened();
    const box = (name: string) => page.locator(`input[aria-label="Select den ${name}"]`);
    await open(at('/notes?folder=den&sort=title'));
    await box('001').click();
    await seen('::-p-text(1 note selected)');
    await page.keyboard.down('Shift');
    await box('003').click();
    await page.keyboard.up('Shift');
    await seen('::-p-text(3 notes selected)');
    const checked = await page.$$eval('input[data-note]', (boxes) =>
      boxes.map((each) => each.checked),
    );
    expect(checked).toEqual([false, true, true, true, false]);
    // A Shift click marks text elsewhere.
    expect(await page.evaluate(() => getSelection()?.toString())).toBe('');
  });

  it('has all that match selected, not only those in view, and deletes them', async () => {
    const { open, click, seen } = opened();
    await push('litter', 450);
    await open(at('/notes?folder=litter&sort=title'));
    await click('Select the notes in view', 'input');
    await click('Select all that match');
    await seen('::-p-text(450 notes selected)');
    // By one request for many: to archive them takes a request for each.
    await click('Delete…');
    await click('Delete 450 notes');
    await seen('::-p-text(450 notes deleted.)');
    expect((await must(agent, 'GET /api/notes?folder=litter'))['items']).toEqual([]);
  });

  it('is where it was after a note was opened and left with Back', async () => {
    const { page, open, seen, gone } = opened();
    await open(at('/notes?folder=warren&sort=title'));
    const topOf = () => page.evaluate(() => Math.round(window.scrollY));
    while ((await topOf()) < 2_500) {
      await page.mouse.wheel({ deltaY: 500 });
      await sleep(50);
    }
    // Firefox scrolls on for a while.
    let before = -1;
    while (before !== (await topOf())) {
      before = await topOf();
      await sleep(200);
    }
    const name = await page.evaluate(() => {
      const links = [...document.querySelectorAll('a[data-title]')];
      return links.find((link) => link.getBoundingClientRect().top > 200)?.textContent ?? '';
    });
    await page.locator(title(name)).click();
    await gone(title(name));
    await seen(heading(name));
    await page.goBack();
    await seen(title(name));
    await page.waitForFunction((top) => Math.abs(window.scrollY - top) < 60, {}, before);
    const top = await page.$eval(title(name), (link) => link.getBoundingClientRect().top);
    expect(top).toBeGreaterThan(100);
  });

  /** Firefox writes an empty file of the name, and a part beside it, before the whole file. */
  const untilDownloaded = async (): Promise<readonly [name: string, bytes: Uint8Array]> => {
    for (;;) {
      const [name, ...others] = await readdir(downloads);
      const bytes = name && others.length === 0 ? await readFile(join(downloads, name)) : null;
      if (name?.endsWith('.zip') && bytes && bytes.length > 0) {
        return [name, new Uint8Array(bytes)];
      }
      await sleep(50);
    }
  };

  it('is downloaded as a zip with a file for each note, as Firefox cannot write to a chosen file', async () => {
    const { open, click, seen } = opened();
    await open(at('/notes?folder=den&sort=title'));
    await click('Export folder');
    await seen('::-p-text(Exported 5 notes.)');
    const [name, bytes] = await untilDownloaded();
    expect(name).toMatch(/^Acme .*\d{4}-\d\d-\d\d\.zip$/);
    const files = unzipSync(bytes);
    expect(Object.keys(files).toSorted()).toEqual(
      [0, 1, 2, 3, 4].map((index) => `den/den 00${index}.md`),
    );
  });
});
