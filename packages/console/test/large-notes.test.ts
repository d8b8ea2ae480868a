import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { must } from '../tools/must.ts';
import { acmeConsole } from './support/acme-console.ts';
import { untilStill } from './support/until-still.ts';

const { at, agent, enter } = acmeConsole();

const notes = (): string => at('/notes');

const write = async (content: string, id: string = randomUUID()): Promise<string> => {
  await must(agent, `PUT /api/notes/${id}`, { title: 'Monster', content });
  return id;
};

describe('a note that cannot be rendered', () => {
  it.each([
    ['3,000 quotes in each other', '>'.repeat(3_000)],
    ['lists in each other, which take a minute to parse', `${'- '.repeat(8_192)}a`],
    ['8,000 stars around one letter', `${'*'.repeat(8_000)}a${'*'.repeat(8_000)}`],
  ])('is shown as text, and can be deleted: %s', async (_, content) => {
    const id = await write(content);
    const page = await enter();
    await page.goto(`${notes()}/${id}`);
    await page.getByRole('heading', { name: 'Monster' }).waitFor();
    await page.getByText('Its plain text is shown instead.').waitFor();
    expect(await page.locator('main pre').textContent()).toBe(content);
    await page.getByRole('button', { name: 'Delete…' }).click();
    await page.getByRole('button', { name: 'Delete note' }).click();
    await page.getByText(/^Deleted by /).waitFor();
  });

  it('is rendered after Try again where the code for that could not be loaded', async () => {
    const id = await write('# Rendered later');
    const page = await enter();
    const script = /\/assets\/markdown-worker-.*\.js$/;
    await page.route(script, (route) => route.abort());
    await page.goto(`${notes()}/${id}`);
    const notice = page.getByRole('alert').filter({ hasText: 'could not be loaded' });
    await notice.waitFor();
    expect(await page.locator('main pre').textContent()).toBe('# Rendered later');
    await page.unroute(script);
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('heading', { name: 'Rendered later' }).waitFor();
  });

  it('opens in its editor', async () => {
    const id = await write('>'.repeat(3_000));
    const page = await enter();
    await page.goto(`${notes()}/${id}/edit`);
    await page
      .getByRole('region', { name: 'Preview' })
      .getByText('Its plain text is shown instead.')
      .waitFor();
    // As an operator does it: "fill" edits the elements of the text, and Chromium adds styles to them.
    await page.getByLabel('Content').click();
    await page.keyboard.press('Control+a');
    await page.keyboard.press('Delete');
    await page.keyboard.insertText('# Tame\n');
    await page.getByRole('heading', { name: 'Tame' }).waitFor();
    await page.getByRole('button', { name: 'Done' }).click();
    await page.getByRole('link', { name: 'Edit' }).waitFor();
    expect(await must(agent, `GET /api/notes/${id}`)).toMatchObject({ content: '# Tame\n' });
  });
});

describe('a note of 400 KB', () => {
  const section = (number: number): string =>
    `## Section ${number}\n\nThe parties agree on **clause ${number}** of [the act][act].\n\n` +
    `${'The obligations of this clause survive its end. '.repeat(20)}\n\n- [ ] sign ${number}\n- [ ] file ${number}\n\n`;
  const contract = `${Array.from({ length: 360 }, (_, index) => section(index)).join('')}[act]: https://act.example/\n`;

  it('is where one was on the way back, also where that much was not rendered yet', async () => {
    const id = await write(contract);
    const page = await enter();
    await page.goto(`${notes()}/${id}`);
    await page.getByRole('heading', { name: 'Section 0', exact: true }).waitFor();
    const wanted = page.getByRole('heading', { name: 'Section 100', exact: true });
    while ((await wanted.count()) === 0) {
      await page.mouse.wheel(0, 4_000);
      await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(resolve)));
    }
    await wanted.evaluate((heading) => {
      window.scrollTo({ top: window.scrollY + heading.getBoundingClientRect().top - 200 });
    });
    await untilStill(page);
    const before = await wanted.boundingBox();
    await page.getByRole('link', { name: 'Agents', exact: true }).click();
    await page.getByRole('heading', { name: 'Agents', level: 1 }).waitFor();
    await page.goBack();
    await wanted.waitFor();
    await page.waitForFunction(
      ([y]) => {
        const headings = [...document.querySelectorAll('h2')];
        const found = headings.find(({ textContent }) => textContent === 'Section 100');
        return Math.abs((found?.getBoundingClientRect().top ?? Infinity) - (y ?? 0)) < 40;
      },
      [before?.y],
    );
    await page.keyboard.press('End');
    await page.getByRole('heading', { name: 'Section 359' }).waitFor();
    await page.waitForFunction(
      () => window.scrollY + window.innerHeight >= document.documentElement.scrollHeight - 1,
    );
    expect(await page.getByText('Note ID').isVisible()).toBe(true);
  });

  it('is rendered as one scrolls, with its links and tasks', async () => {
    expect(contract.length).toBeGreaterThan(350_000);
    const id = await write(contract);
    const page = await enter();
    await page.goto(`${notes()}/${id}`);
    await page.getByRole('heading', { name: 'Section 0', exact: true }).waitFor();
    expect(await page.getByText('Its plain text is shown instead.').count()).toBe(0);
    expect(await page.getByRole('heading', { name: 'Section 359' }).count()).toBe(0);
    const last = page.getByRole('heading', { name: 'Section 359' });
    // Rendered pieces are higher than their plain text, so that the end moves away: the key is pressed again.
    while ((await last.count()) === 0) {
      await page.keyboard.press('End');
      await sleep(500);
    }
    await last.waitFor();
    await last.scrollIntoViewIfNeeded();
    expect(await page.getByRole('link', { name: 'the act' }).last().getAttribute('href')).toBe(
      'https://act.example/',
    );
    await page.getByRole('checkbox', { name: 'To do' }).last().click();
    await page.getByText('Revision 2').waitFor();
    const { content } = await must(agent, `GET /api/notes/${id}`);
    expect(content).toBe(contract.replace('- [ ] file 359', '- [x] file 359'));
  });
});

describe('a diff of 10,000 lines', () => {
  const lines = (word: string): string =>
    Array.from({ length: 10_000 }, (_, index) => `${word} ${index}\n`).join('');

  it('is computed or aborted in a worker, without blocking the page', async () => {
    const id = await write(lines('old'));
    await write(lines('new'), id);
    const page = await enter();
    await page.goto(`${notes()}/${id}/history`);
    const worker = page.waitForEvent('worker');
    await page.getByRole('button', { name: 'Show changes of revision 2' }).click();
    await worker;
    const diff = page.getByLabel('Changes of revision 2', { exact: true });
    await diff.waitFor();
    const text = (await diff.textContent()) ?? '';
    expect([text.includes('- old 9999\n'), text.includes('+ new 9999\n')]).toEqual([true, true]);
  });
});

describe('a note with many versions', () => {
  it('is compared from far down: the differences are scrolled to, and closing them leads back', async () => {
    const id = await write('version 1');
    for (let version = 2; version <= 60; version += 1) {
      await write(`version ${version}`, id);
    }
    const page = await enter();
    await page.goto(`${notes()}/${id}/history`);
    const boxOf = (revision: number) =>
      page.getByRole('checkbox', { name: `Compare revision ${revision}`, exact: true });
    await page.getByRole('button', { name: 'Load more' }).click();
    await boxOf(4).focus();
    await page.keyboard.press('Space');
    const chosen = page.getByText('Revision 4 is chosen.');
    await chosen.waitFor();
    expect(await page.evaluate(() => scrollY)).toBeGreaterThan(1_000);
    const { y = -1 } = (await chosen.boundingBox()) ?? {};
    expect(y).toBeGreaterThanOrEqual(0);
    await boxOf(2).focus();
    await page.keyboard.press('Space');
    const title = page.getByRole('heading', { name: 'Revision 2 compared with revision 4' });
    await title.and(page.locator(':focus')).waitFor();
    expect((await title.boundingBox())?.y).toBeGreaterThan(0);
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await boxOf(2).and(page.locator(':focus')).waitFor();

    // A link to a version that is not on the first page of them.
    await page.goto(`${notes()}/${id}/history?version=3`);
    await page.getByRole('region', { name: 'Text of revision 3' }).getByText('version 3').waitFor();
    await page.getByRole('button', { name: 'Close revision 3' }).click();
    await page.getByText('version 3').waitFor({ state: 'detached' });
  });
});
