import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { createDemoData, type DemoData } from '../tools/demo-data.ts';
import { must } from '../tools/must.ts';
import { waitUntilIdle } from '../tools/wait-until-idle.ts';
import type { Visitor } from './support/browser.ts';
import { signedInPages } from './support/page-list.ts';
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

describe('where agents and the company have names of one word of 200 characters, no page is wider than its window:', () => {
  it.each(signedInPages)('%s', async (_, pathOf) => {
    const { page } = visitor;
    for (const width of [1440, 390]) {
      await page.setViewportSize({ width, height: 844 });
      await page.goto(pathOf(demo));
      await page.locator('main h1').first().waitFor();
      await waitUntilIdle(page);
      expect([width, ...(await wideParts(page))]).toEqual([width]);
    }
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
