import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { createDemoData, type DemoData } from '../tools/demo-data.ts';
import { must } from '../tools/must.ts';
import { waitUntilIdle } from '../tools/wait-until-idle.ts';
import type { Visitor } from './support/browser.ts';
import { signedInPages } from './support/page-list.ts';
import { expectLargeTargets } from './support/targets.ts';
import { startEmptyConsole, type EmptyConsole } from './support/start-console.ts';

const longName = 'Wolfeschlegelsteinhausenbergerdorff'.repeat(6).slice(0, 200);

let subject: EmptyConsole;
let demo: DemoData;
let visitor: Visitor;
beforeAll(async () => {
  subject = await startEmptyConsole('authenticated');
  const { system } = subject;
  const board = system.as(await system.boardHeaders());
  demo = await createDemoData(system.baseUrl, board);
  const { items } = (await must(board, `GET /api${demo.company}/agents`)) as {
    readonly items: readonly { readonly id: string; readonly status: string }[];
  };
  for (const { id } of items.filter(({ status }) => status !== 'terminated')) {
    await must(board, `PATCH /api/agents/${id}`, { name: longName });
  }
  await must(board, `PATCH /api${demo.company}`, { name: longName });
  visitor = await subject.enter();
}, 180_000);
afterAll(async () => {
  await visitor.close();
  await subject.stop();
});

/** What is wider than the window or, where columns stand side by side, than its table. */
const wideParts = (page: Page): Promise<readonly string[]> =>
  page.evaluate(() => {
    const { scrollWidth, clientWidth } = document.documentElement;
    return [
      ...(scrollWidth > clientWidth ? [`the page: ${scrollWidth}`] : []),
      ...[...document.querySelectorAll('.table-scroll')]
        .filter((box) => box.scrollWidth > box.clientWidth)
        .map((box) => `a table: ${box.scrollWidth} of ${box.clientWidth}`),
    ];
  });

const phone = { width: 390, height: 844 };

/** Of the page as it was opened on a phone, and then in a wide window: the layout is all that changes with the width. */
const expectNothingWide = async (page: Page): Promise<void> => {
  for (const width of [phone.width, 1440]) {
    await page.setViewportSize({ ...phone, width });
    expect([page.url(), width, ...(await wideParts(page))]).toEqual([page.url(), width]);
  }
};

describe('where agents and the company have names of one word of 200 characters, no page is wider than its window:', () => {
  it.each(signedInPages)('%s', async (_, pathOf) => {
    const { page } = visitor;
    await page.setViewportSize(phone);
    await page.goto(pathOf(demo));
    await page.locator('main h1').first().waitFor();
    await waitUntilIdle(page);
    await expectNothingWide(page);
  });
});

describe('the list of companies', () => {
  it('is no wider than its window, nor than what one reads at a glance, however long a name is', async () => {
    const { page } = visitor;
    for (const [width, widest] of [
      [1440, 512],
      [390, 358],
    ] as const) {
      await page.setViewportSize({ width, height: 844 });
      await page.goto(`${demo.company}/notes`);
      await page.getByRole('combobox', { name: 'Company' }).click();
      const list = page.getByRole('listbox', { name: 'Company' });
      await list.getByRole('option').first().waitFor();
      expect((await list.boundingBox())?.width).toBeLessThanOrEqual(widest);
      await page.keyboard.press('Escape');
    }
  });
});

describe('a note whose title and folder are long words', () => {
  it('is no wider than its window, nor are its editor, its history and the list', async () => {
    const { page } = visitor;
    const { system } = subject;
    const headers = {
      ...(await system.boardHeaders()),
      'x-company-id': demo.company.split('/').at(-1) ?? '',
    };
    const word = 'Donaudampfschiffahrtselektrizitaeten'.repeat(12).slice(0, 400);
    const folder = word.slice(0, 120);
    const created = await must(system.as(headers), 'POST /api/notes', {
      title: word,
      content: '',
      folder,
    });
    const base = `${demo.company}/notes`;
    const note = `${base}/${String(created['id'])}`;
    const search = `${base}?folder=${folder}`;
    for (const path of [note, `${note}/edit`, `${note}/history`, search]) {
      await page.setViewportSize(phone);
      await page.goto(path);
      await page.locator('main h1').first().waitFor();
      await waitUntilIdle(page);
      await page
        .getByText(word)
        .or(page.locator(`input[value="${word}"]`))
        .first()
        .waitFor();
      await expectNothingWide(page);
    }
    await page.setViewportSize(phone);
    await page.goto(note);
    const heading = await page.getByRole('heading', { name: word, level: 1 }).boundingBox();
    expect((heading?.x ?? 0) + (heading?.width ?? 0)).toBeLessThanOrEqual(390);
  });
});

describe('the path of a note in folders with short names', () => {
  it('has no gaps, and each name is large enough to be hit', async () => {
    const { page } = visitor;
    const { system } = subject;
    const headers = {
      ...(await system.boardHeaders()),
      'x-company-id': demo.company.split('/').at(-1) ?? '',
    };
    const body = { title: 'In short folders', content: '', folder: 'a/b/lab' };
    const created = await must(system.as(headers), 'POST /api/notes', body);
    await page.goto(`${demo.company}/notes/${String(created['id'])}`);
    const path = page.locator('main').getByRole('link', { name: 'lab', exact: true }).locator('..');
    await path.waitFor();
    const letters = await path.evaluate((element) => {
      const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
      const boxes: DOMRect[] = [];
      while (walker.nextNode()) {
        const range = document.createRange();
        range.selectNodeContents(walker.currentNode);
        boxes.push(range.getBoundingClientRect());
      }
      return boxes.map(({ left, right }) => ({ left, right }));
    });
    const gaps = letters.slice(1).map(({ left }, index) => left - (letters[index]?.right ?? 0));
    expect(gaps).toHaveLength(4);
    expect(Math.max(...gaps)).toBeLessThan(9);
    await expectLargeTargets(page);
  });
});

describe('a folder of one level', () => {
  it('is whole where there is room, in the path of a note and in a list', async () => {
    const { page } = visitor;
    const areCut = () =>
      page
        .getByRole('link', { name: 'lab', exact: true })
        .evaluateAll((links) =>
          links
            .filter((link) => link.checkVisibility())
            .map((link) => link.scrollWidth > link.clientWidth),
        );
    await page.setViewportSize({ width: 390, height: 844 });
    await page.goto(`${demo.company}/notes?q=calibration`);
    const note = page.getByRole('link', { name: 'Calibration log' });
    await note.waitFor();
    expect(new Set(await areCut())).toEqual(new Set([false]));
    await note.click();
    await page.getByRole('heading', { name: 'Calibration log' }).waitFor();
    expect(new Set(await areCut())).toEqual(new Set([false]));
  });
});

describe('the line below the heading of the dashboard', () => {
  it('begins with the company, also if its name is written from right to left', async () => {
    const { page } = visitor;
    const { system } = subject;
    const board = system.as(await system.boardHeaders());
    await must(board, `PATCH /api${demo.company}`, { name: 'شركة الأضواء الشمالية' });
    await page.setViewportSize({ width: 1440, height: 844 });
    await page.goto(demo.company);
    const line = page.getByRole('main').getByText(/· times in/);
    await line.getByText('شركة').waitFor();
    const start = await line.boundingBox();
    const name = await line.getByText('شركة').boundingBox();
    expect(name?.x).toBe(start?.x);
  });
});
