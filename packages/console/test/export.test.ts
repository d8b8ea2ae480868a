import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { noteText } from '@commonplace/client';
import { runScript, type Api } from '@commonplace/e2e';
import { placeOf, readNoteFile } from '@commonplace/note-files';
import { strFromU8, unzipSync } from 'fflate';
import type { Page } from 'playwright-core';
import { must } from '../tools/must.ts';
import { openPage } from '../tools/wait-until-idle.ts';
import type { Visitor } from './support/browser.ts';
import { startConsole, type ConsoleUnderTest } from './support/start-console.ts';

const written = [
  { title: 'Plan', folder: 'lab', content: '# Plan\n\nÜber 100 °C\n', tags: ['launch'] },
  { title: 'plan', folder: 'lab', content: 'The same name in another case.' },
  { title: 'a/b: *?', folder: 'lab/raw data', content: '---\nlooks: like front matter\n---\n' },
  { title: '', folder: 'lab', content: 'Without a title', pinned: true, archived: true },
  { title: '../../etc/passwd', folder: 'lab', content: 'stays inside' },
  { title: 'Kept', folder: 'lab', content: '', properties: { status: 'draft', title: 'own' } },
  { title: 'Elsewhere', folder: 'laboratory', content: 'is not exported' },
];

let subject: ConsoleUnderTest;
let board: Api;
let visitor: Visitor;
let folder: string;
beforeAll(async () => {
  subject = await startConsole();
  const { system, world } = subject;
  board = system.as({ ...(await system.boardHeaders()), 'x-company-id': world.acme.companyId });
  for (const note of written) {
    await must(board, 'POST /api/notes', note);
  }
  folder = await mkdtemp(join(tmpdir(), 'commonplace-export-'));
}, 120_000);
afterEach(() => visitor.close());
afterAll(async () => {
  await subject.stop();
  await rm(folder, { recursive: true, force: true });
});

const notes = () => `/companies/${subject.world.acme.companyId}/notes`;

/** A browser that cannot write to files, as Firefox. */
const withoutPicker = async (page: Page): Promise<void> => {
  await page.addInitScript(() => {
    Object.defineProperty(globalThis, 'showSaveFilePicker', { value: undefined });
  });
};

/** Exports and returns the files by path. */
const exported = async (page: Page, button: string): Promise<Readonly<Record<string, string>>> => {
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: button }).click(),
  ]);
  expect(download.suggestedFilename()).toMatch(/^Acme .*\d{4}-\d\d-\d\d\.zip$/);
  const files = unzipSync(new Uint8Array(await readFile(await download.path())));
  return Object.fromEntries(
    Object.entries(files).map(([path, content]) => [path, strFromU8(content)]),
  );
};

describe('an export', () => {
  it('has the notes of a folder as files, each of which is read as its note', async () => {
    visitor = await subject.enter();
    const { page } = visitor;
    await withoutPicker(page);
    await openPage(page, `${notes()}?folder=lab`);
    const files = await exported(page, 'Export folder');
    await page.getByText('Exported 6 notes.').waitFor();
    expect(Object.keys(files).toSorted()).toEqual([
      'lab/Kept.md',
      'lab/Plan.md',
      'lab/Untitled.md',
      'lab/__-..-etc-passwd.md',
      'lab/plan (2).md',
      'lab/raw data/a-b- --.md',
    ]);
    const read = Object.entries(files).map(([path, file]) => readNoteFile(file, placeOf(path)));
    const byContent = (one: { content: string }, other: { content: string }) =>
      one.content < other.content ? -1 : 1;
    expect(read.toSorted(byContent)).toEqual(
      written
        .filter((note) => note.folder !== 'laboratory')
        .map((note) => noteText(note))
        .toSorted(byContent),
    );
  });

  it('is a folder that “commonplace sync” finds equal to the notes', async () => {
    visitor = await subject.enter();
    const { page } = visitor;
    await withoutPicker(page);
    await openPage(page, notes());
    const files = await exported(page, 'Export all');
    for (const [path, content] of Object.entries(files)) {
      await mkdir(dirname(join(folder, path)), { recursive: true });
      await writeFile(join(folder, path), content);
    }
    const countNotes = async (): Promise<number> =>
      ((await board('GET', '/api/notes?limit=200')).body as { items: unknown[] }).items.length;
    const before = await countNotes();
    const ended = await runScript('packages/cli/src/main.ts', ['sync', folder], {
      COMMONPLACE_URL: subject.system.baseUrl,
      COMMONPLACE_API_KEY: subject.world.acme.key,
    });
    expect(ended).toMatchObject({ exitCode: 0 });
    expect(await countNotes()).toBe(before);
    const found = (await readdir(folder, { recursive: true })).filter((path) =>
      path.endsWith('.md'),
    );
    expect(found.toSorted()).toEqual(Object.keys(files).toSorted());
  });

  it('is streamed to a file where the browser can, and cancelled without a trace', async () => {
    visitor = await subject.enter();
    const { page } = visitor;
    await page.addInitScript(() => {
      const target = { chunks: [] as Uint8Array[], isAborted: false };
      Object.assign(globalThis, {
        target,
        showSaveFilePicker: async () => ({
          createWritable: async () =>
            new WritableStream({
              write: (chunk: Uint8Array) => void target.chunks.push(chunk),
              abort: () => void (target.isAborted = true),
            }),
        }),
      });
    });
    await openPage(page, `${notes()}?folder=lab`);
    let release = (): void => undefined;
    const held = new Promise<void>((resolve) => (release = resolve));
    await page.route('**/api/notes?view=full**', async (route) => {
      await held;
      await route.continue().catch(() => undefined);
    });
    await page.getByRole('button', { name: 'Export folder' }).click();
    await page.getByText('Exporting: 0 notes read').waitFor();
    await page.getByRole('button', { name: 'Cancel export' }).click();
    await page.getByRole('button', { name: 'Cancel export' }).waitFor({ state: 'detached' });
    await page.waitForFunction(
      () => (globalThis as unknown as { target: { isAborted: boolean } }).target.isAborted,
    );
    release();
    await page.unrouteAll({ behavior: 'wait' });
    await page.getByRole('button', { name: 'Export folder' }).click();
    await page.getByText('Exported 6 notes.').waitFor();
    const start = await page.evaluate(() => {
      const { target } = globalThis as unknown as { target: { chunks: Uint8Array[] } };
      return [...(target.chunks[0] ?? [])].slice(0, 4);
    });
    expect(start).toEqual([0x50, 0x4b, 3, 4]);
    await page.getByRole('button', { name: 'Dismiss' }).click();
    expect(await page.getByText('Exported').count()).toBe(0);
  });

  it('is not started a second time by the quick search, so that Cancel ends it', async () => {
    visitor = await subject.enter();
    const { page } = visitor;
    await withoutPicker(page);
    let release = (): void => undefined;
    const held = new Promise<void>((resolve) => (release = resolve));
    await page.route('**/api/notes?view=full**', async (route) => {
      await held;
      await route.continue().catch(() => undefined);
    });
    let downloads = 0;
    page.on('download', () => (downloads += 1));
    await openPage(page, notes());
    const search = async () => {
      await page.keyboard.press('Control+k');
      await page.getByRole('combobox', { name: 'Notes, agents, pages and actions' }).fill('export');
      await page.getByRole('option', { name: 'Export all notes' }).click();
    };
    await search();
    await page.getByRole('dialog').getByRole('button', { name: 'Export', exact: true }).click();
    await page.getByText('Exporting: 0 notes read').waitFor();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await search();
    await page.getByText('Another export is running. It can be cancelled.').waitFor();
    expect(await page.getByRole('dialog', { name: 'Export all notes?' }).count()).toBe(0);
    await page.getByRole('button', { name: 'Cancel export' }).click();
    await page.getByRole('button', { name: 'Cancel export' }).waitFor({ state: 'detached' });
    release();
    await page.unrouteAll({ behavior: 'wait' });
    const files = await exported(page, 'Export all');
    expect(Object.keys(files).length).toBeGreaterThan(0);
    expect(downloads).toBe(1);
  });

  it('that fails says why, and downloads nothing', async () => {
    visitor = await subject.enter();
    const { page } = visitor;
    await withoutPicker(page);
    await openPage(page, `${notes()}?folder=lab`);
    await page.route('**/api/notes?view=full**', (route) => route.abort());
    let downloads = 0;
    page.on('download', () => (downloads += 1));
    await page.getByRole('button', { name: 'Export folder' }).click();
    await page.getByText('Commonplace is unreachable.').waitFor();
    expect(downloads).toBe(0);
  });
});
