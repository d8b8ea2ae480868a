import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { must } from '../tools/must.ts';
import { openPage } from '../tools/wait-until-idle.ts';
import { acmeConsole } from './support/acme-console.ts';
import { expectNoAxeViolations } from './support/axe.ts';
import { expectLargeTargets } from './support/targets.ts';
import { untilStill } from './support/until-still.ts';

const { at, agent, enter } = acmeConsole();

const write = async (title: string, content: string): Promise<string> => {
  const id = randomUUID();
  await must(agent, `PUT /api/notes/${id}`, { title, content });
  return id;
};

const section = (number: number, text: string): string =>
  `## Section ${number}\n\n${'Nothing is said here. '.repeat(12)}\n\n- first\n- second\n\n${text}\n\n`;

const sections = (count: number, texts: Readonly<Record<number, string>>): string =>
  Array.from({ length: count }, (_, index) => section(index, texts[index] ?? 'The end.')).join('');

/** Waits until a text is marked, in sight and has the focus. */
const expectOpenAt = async (page: Page, text: string): Promise<void> => {
  const marked = page.locator('[data-sought]').filter({ hasText: text });
  await marked.waitFor();
  await page.waitForFunction((wanted) => {
    const focused = document.activeElement;
    const { top = -1, bottom = -1 } = focused?.getBoundingClientRect() ?? {};
    const isAlone = document.querySelectorAll('[data-sought]').length === 1;
    return isAlone && focused?.textContent?.includes(wanted) && top > 56 && bottom < innerHeight;
  }, text);
};

describe('a place that a search found', () => {
  it('is a link, at which the note opens, and Back leads to the results where they were', async () => {
    await write(
      'Gutters',
      sections(40, { 5: 'a **parapet** here', 30: 'the parapet of the tower' }),
    );
    for (let index = 0; index < 24; index += 1) {
      await write(`Roof ${index}`, `one line\n\nparapet ${'and more '.repeat(30)}`);
    }
    const page = await enter();
    for (const width of [390, 1440]) {
      await page.setViewportSize({ width, height: 844 });
      await openPage(page, at('/notes?q=parapet'));
      const row = page.getByRole('row').filter({ hasText: 'Gutters' });
      await row.scrollIntoViewIfNeeded();
      await expectNoAxeViolations(page);
      await expectLargeTargets(page);
    }
    const before = await page.evaluate(() => Math.round(scrollY));
    await page.getByRole('link', { name: /^line \d+, Section 30$/ }).click();
    await page.getByRole('heading', { name: 'Gutters', level: 1 }).waitFor();
    await expectOpenAt(page, 'the parapet of the tower');
    await expectNoAxeViolations(page);
    await page.locator('[data-sought]').waitFor({ state: 'detached' });
    await page.goBack();
    await page.getByRole('link', { name: /^line \d+, Section 30$/ }).waitFor();
    await page.waitForFunction((top) => Math.abs(scrollY - top) < 60, before);
  });

  it('is opened by the keyboard, and who comes back to the note is where they were', async () => {
    await write('Ladders', sections(60, { 40: 'the rung of [the shop](https://example.org)' }));
    const page = await enter();
    await openPage(page, at('/notes?q=rung'));
    await page.getByRole('link', { name: /Section 40$/ }).focus();
    await page.keyboard.press('Enter');
    await expectOpenAt(page, 'the rung of');
    // The next Tab is the link in it.
    await page.keyboard.press('Tab');
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('the shop');
    const before = await page.evaluate(() => scrollY);
    await page.mouse.move(700, 400);
    await page.mouse.wheel(0, -600);
    await page.waitForFunction((top) => scrollY < top, before);
    await untilStill(page);
    const left = await page.evaluate(() => Math.round(scrollY));
    await page.keyboard.press('g');
    await page.keyboard.press('a');
    await page.getByRole('heading', { name: 'Agents', level: 1 }).waitFor();
    await page.goBack();
    await page.getByText('the rung of').waitFor();
    await page.waitForFunction((top) => Math.abs(scrollY - top) < 2, left);
  });

  it('is found in a note of 400 KB, which is rendered as one scrolls', async () => {
    await write('Statute', sections(1_100, { 900: 'the easement of the orchard' }));
    const page = await enter();
    await openPage(page, at('/notes?q=easement'));
    await page.getByRole('link', { name: /Section 900$/ }).click();
    await expectOpenAt(page, 'the easement of the orchard');
    expect(await page.getByRole('heading', { name: 'Section 2', exact: true }).count()).toBe(0);
  });

  it('is the heading above it, if the lines have moved away meanwhile', async () => {
    const id = await write('Cellars', sections(30, { 20: 'the amphora' }));
    const page = await enter();
    await openPage(page, at('/notes?q=amphora'));
    const link = page.getByRole('link', { name: /Section 20$/ });
    await link.waitFor();
    const moved = `${section(99, 'new').repeat(5)}${sections(30, { 20: 'other words' })}`;
    const address = await link.getAttribute('href');
    await must(agent, `PUT /api/notes/${id}`, { title: 'Cellars', content: moved });
    await page.goto(address ?? '');
    await expectOpenAt(page, 'Section 20');
  });

  it('is where the quick search opens a note, unless its title has the words', async () => {
    await write('Shutters', sections(30, { 25: 'the espagnolette bolt' }));
    await write('Espagnolette bolts', sections(30, { 25: 'the espagnolette bolt' }));
    const page = await enter();
    await openPage(page, at('/agents'));
    const search = page.getByRole('combobox', { name: 'Notes, agents, pages and actions' });
    await page.keyboard.press('Control+k');
    await search.fill('espagnolette bolt');
    const [byText, byTitle] = [/^Shutters line \d+, Section 25/, /^Espagnolette bolts(?! line)/];
    await page.getByRole('option', { name: byTitle }).waitFor();
    await expectNoAxeViolations(page);
    await page.getByRole('option', { name: byText }).click();
    await expectOpenAt(page, 'the espagnolette bolt');
    await page.keyboard.press('Control+k');
    await search.fill('espagnolette bolt');
    await page.getByRole('option', { name: byTitle }).click();
    await page.getByRole('heading', { name: 'Espagnolette bolts', level: 1 }).waitFor();
    expect(new URL(page.url()).search).toBe('');
  });
});
