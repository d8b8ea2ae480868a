import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { openPage } from '../tools/wait-until-idle.ts';
import { acmeConsole } from './support/acme-console.ts';
import { expectNoAxeViolations } from './support/axe.ts';
import { expectLargeTargets } from './support/targets.ts';
import { tryAgain } from './support/try-again.ts';

const { at, agent, enter } = acmeConsole();

const write = async (body: object, id: string = randomUUID()): Promise<string> => {
  expect((await agent('PUT', `/api/notes/${id}`, { body })).status).toBeLessThan(300);
  return id;
};

const openNote = async (id: string): Promise<Page> => {
  const page = await enter();
  await openPage(page, at(`/notes/${id}`));
  return page;
};

describe('the links that lead to no note', () => {
  it('are a page beside the notes, of a folder or of all, without those that are mended', async () => {
    const folder = `ships-${randomUUID().slice(0, 8)}`;
    const content = 'See [[Ballast tanks]] and [[Gondola]].';
    const id = await write({ title: 'Airship parts', folder, content });
    await write({ title: 'Submarine parts', content: 'See [[Periscope]].' });
    const page = await enter();
    await page.goto(at(`/notes?folder=${folder}`));
    await page.getByRole('combobox', { name: 'Show' }).click();
    await page.getByRole('option', { name: 'Broken links' }).click();
    const rows = page.getByRole('row');
    await page.getByRole('heading', { name: 'Broken links' }).waitFor();
    await rows.filter({ hasText: 'Gondola' }).waitFor();
    const row = rows.filter({ hasText: 'Ballast tanks' });
    const cells = await row.getByRole('rowheader').or(row.getByRole('cell')).allInnerTexts();
    expect(cells.map((cell) => cell.split('\n'))).toEqual([
      ['Airship parts', folder],
      ['Ballast tanks'],
    ]);
    expect(await page.getByText('Periscope').count()).toBe(0);
    await expectNoAxeViolations(page);
    await rows.getByRole('link', { name: 'Airship parts' }).first().click();
    await page.getByRole('heading', { name: 'Airship parts' }).waitFor();
    expect(page.url()).toContain(id);
    await write({ title: 'Gondola', content: 'x' });
    await page.goBack();
    await rows.filter({ hasText: 'Ballast tanks' }).waitFor();
    await rows.filter({ hasText: 'Gondola' }).waitFor({ state: 'detached' });
    await page.getByRole('navigation', { name: 'Folders' }).getByText('All notes').click();
    await rows.filter({ hasText: 'Periscope' }).waitFor();
  });
});

describe('the links of a note', () => {
  it('are listed with the notes that link to it, and follow changes', async () => {
    const target = await write({ title: 'Engines', content: 'x' });
    const id = await write({ title: 'Airship', content: 'See [[Engines]] and [[Hangar]].' });
    await write({ title: 'Travel plan', content: 'We take the [[airship]] north.' });
    const page = await openNote(id);
    const links = page.getByRole('list', { name: 'Links', exact: true });
    const backlinks = page.getByRole('list', { name: 'Backlinks' });
    await backlinks.getByRole('link', { name: 'Travel plan' }).waitFor();
    expect(await backlinks.textContent()).toContain('We take the airship north.');
    expect(await links.textContent()).toContain('Hangar (no such note)');
    expect(await links.getByRole('link').allTextContents()).toEqual(['Engines']);
    await write({ title: 'Hangar', content: 'x' });
    await links.getByRole('link', { name: 'Hangar' }).waitFor();
    await links.getByRole('link', { name: 'Engines' }).click();
    await page.waitForURL(new RegExp(`${target}$`));
    await backlinks.getByRole('link', { name: 'Airship' }).waitFor();
    await page.getByText('This note has no links.').waitFor();
  });

  it('are links at the end of a long note too, beyond those that the service lists', async () => {
    const target = await write({ title: 'Backlog 800', content: 'x' });
    const items = Array.from({ length: 800 }, (_, index) => `Item [[Backlog ${index}]].\n\n`);
    const filler = `${'words '.repeat(80)}\n\n`;
    const content = `${items.map((item) => item + filler).join('')}Last: [[Backlog 800]].\n`;
    const page = await openNote(await write({ title: 'Backlog', content }));
    const last = page.getByText('Last:');
    // The place of the end moves as the pieces before it are rendered.
    await page.waitForFunction(() => {
      const end = [...document.querySelectorAll('main p')].findLast(({ textContent }) =>
        textContent.includes('Last:'),
      );
      end?.scrollIntoView({ block: 'end' });
      return end?.textContent.startsWith('Last:') && end.querySelector('a') !== null;
    });
    await last.getByRole('link', { name: 'Backlog 800' }).click();
    await page.getByRole('heading', { name: 'Backlog 800' }).waitFor();
    expect(new URL(page.url()).pathname).toBe(at(`/notes/${target}`));
  });

  it('by id show the title, in the note and in its preview', async () => {
    const target = await write({ title: 'Named by its id', content: 'x' });
    const id = await write({
      title: 'Pointing',
      content: `See [[${target}]] and [[${target}|that]].`,
    });
    const page = await openNote(id);
    const text = page.getByText('See');
    await text.getByRole('link', { name: 'Named by its id' }).waitFor();
    expect(await text.textContent()).toBe('See Named by its id and that.');
    await openPage(page, at(`/notes/${id}/edit`));
    const preview = page.getByRole('region', { name: 'Preview' });
    await preview.getByRole('link', { name: 'Named by its id' }).waitFor();
    expect(await preview.textContent()).toContain('See Named by its id and that.');
  });

  it('follow a rename where its author wants that', async () => {
    const id = await write({ title: 'Balloon', content: 'x', properties: { gas: 'helium' } });
    const source = await write({ title: 'Fleet', content: 'One [[balloon]].' });
    const page = await enter();
    await openPage(page, at(`/notes/${id}/edit`));
    const choice = page.getByLabel('Change the links of other notes');
    await page.getByLabel('Title').waitFor();
    expect(await choice.count()).toBe(0);
    await page.getByLabel('Title').fill('Zeppelin');
    await page.getByLabel('Folder').fill('air');
    await choice.check();
    await page.getByRole('button', { name: 'Done' }).click();
    await page.getByRole('heading', { name: 'Zeppelin', exact: true }).waitFor();
    const { body: note } = await agent('GET', `/api/notes/${id}`);
    expect(note).toMatchObject({ title: 'Zeppelin', folder: 'air', properties: { gas: 'helium' } });
    const { body } = await agent('GET', `/api/notes/${source}`);
    expect(body).toMatchObject({ content: 'One [[Zeppelin]].' });
  });

  it('that a rename cannot change are said', async () => {
    const id = await write({ title: 'Pump' });
    const link = '[[Pump]]';
    await write({ title: 'Full', content: 'x'.repeat(512 * 1_024 - link.length) + link });
    const page = await enter();
    await openPage(page, at(`/notes/${id}/edit`));
    await page.getByLabel('Title').fill('Pump of the bilge');
    await page.getByLabel('Change the links of other notes').check();
    await page.getByRole('button', { name: 'Done' }).click();
    const said = page.getByText('Links in 1 note keep the former title');
    await said.waitFor();
    expect(await said.innerText()).toContain('broken links');
  });

  it('are links in its text, outside code; the others stay text with a hint', async () => {
    const target = await write({ title: 'Compass', content: 'x' });
    const id = await write({
      title: 'Instruments',
      content: `The [[compass]], [[Compass|its needle]], [it](/notes/${target}), [[Sextant]], \`[[Compass]]\`, \\[[Compass]].`,
    });
    const page = await openNote(id);
    const text = page.locator('.mantine-Typography-root');
    await text.getByRole('link', { name: 'its needle' }).waitFor();
    const hrefs = await text
      .getByRole('link')
      .evaluateAll((all) => all.map((link) => link.getAttribute('href')));
    expect(hrefs).toEqual(Array.from({ length: 3 }, () => at(`/notes/${target}`)));
    expect(await text.textContent()).toContain(
      'The compass, its needle, it, Sextant (no such note), [[Compass]], [[Compass]].',
    );
    await expectNoAxeViolations(page);
    await text.getByRole('link', { name: 'its needle' }).click();
    await page.getByRole('heading', { name: 'Compass', exact: true }).waitFor();
  });

  it('are a graph whose nodes are links for the keyboard', async () => {
    const id = await write({ title: 'Hub', content: '[[Spoke]] [[Rim]]' });
    const spoke = await write({ title: 'Spoke', content: '[[Hub]]' });
    await write({ title: 'Rim', content: 'x' });
    await write({ title: 'Axle', content: '[[Hub]]' });
    const page = await openNote(id);
    const graph = page.getByRole('group', { name: 'Graph of linked notes' });
    await graph.getByRole('link', { name: 'Axle, links to this note' }).waitFor();
    await graph.getByRole('link', { name: 'Rim, linked from this note' }).waitFor();
    await expectNoAxeViolations(page);
    await expectLargeTargets(page);
    await graph.getByRole('link', { name: 'Spoke, linked both ways' }).focus();
    await page.keyboard.press('Enter');
    await page.waitForURL(new RegExp(`${spoke}$`));
  });

  it('have no graph without other notes, and are listed page by page if there are many', async () => {
    const content = Array.from({ length: 250 }, (_, index) => `[[Missing ${index}]]`).join(' ');
    const page = await openNote(await write({ title: 'Wishes', content }));
    const items = page.getByRole('list', { name: 'Links', exact: true }).getByRole('listitem');
    await items.first().waitFor();
    expect(await page.getByRole('group', { name: 'Graph of linked notes' }).count()).toBe(0);
    const more = page.getByRole('button', { name: 'Load more' });
    for (const shown of [10, 60, 110, 160, 210]) {
      await items.nth(shown - 1).waitFor();
      expect(await items.count()).toBe(shown);
      await more.click();
    }
    await items.nth(249).waitFor();
    await more.waitFor({ state: 'detached' });
  });

  it('that cannot be loaded leave the note readable, and can be loaded again', async () => {
    const id = await write({ title: 'Alone', content: 'Its text' });
    const page = await enter();
    await page.route('**/api/notes/*/links*', (route) =>
      route.fulfill({
        status: 404,
        contentType: 'application/problem+json',
        body: '{}',
      }),
    );
    await page.goto(at(`/notes/${id}`));
    const retry = page.getByRole('region', { name: 'Links' }).getByRole('button');
    await retry.waitFor();
    await page.getByText('Its text').waitFor();
    expect(await page.getByText('No note links to this one.').count()).toBe(0);
    await page.unrouteAll();
    await tryAgain(retry);
    await page.getByText('No note links to this one.').waitFor();
  });
});

describe('a title that the folder has already', () => {
  it('is said in the editor of a new note, with a link, and can be used all the same', async () => {
    const id = await write({ title: 'Twin', content: 'the older', folder: 'pairs' });
    const page = await enter();
    await openPage(page, at('/notes/new?folder=pairs'));
    await page.getByLabel('Title').fill('twin ');
    const hint = page.getByRole('status').filter({ hasText: 'A note in pairs has this title' });
    const link = hint.getByRole('link', { name: 'Twin' });
    await link.waitFor();
    expect(await link.getAttribute('href')).toMatch(new RegExp(`${id}$`));
    expect(await link.getAttribute('target')).toBe('_blank');
    await expectNoAxeViolations(page);
    await page.getByLabel('Title').focus();
    await page.keyboard.press('Tab');
    expect(await link.evaluate((element) => element === document.activeElement)).toBe(true);
    await page.getByRole('combobox', { name: 'Folder' }).fill('elsewhere');
    await hint.waitFor({ state: 'detached' });
    await page.getByRole('combobox', { name: 'Folder' }).fill('pairs');
    await hint.waitFor();
    await page.getByRole('button', { name: 'Done' }).click();
    await page.getByRole('heading', { name: 'twin', level: 1 }).waitFor();
  });

  it('is said when a note is renamed, and not of a note that keeps its title', async () => {
    await write({ title: 'Taken', content: 'x' });
    await write({ title: 'Double', content: 'x' });
    const id = await write({ title: 'Double', content: 'x' });
    const page = await enter();
    await openPage(page, at(`/notes/${id}/edit`));
    const hint = page.getByText('A note without a folder has this title already');
    await page.getByLabel('Title').fill('Taken');
    await hint.waitFor();
    expect(await page.getByRole('link', { name: 'Taken' }).isVisible()).toBe(true);
    await page.getByLabel('Title').fill('Double');
    await hint.waitFor({ state: 'detached' });
  });
});

describe('tags in use', () => {
  it('are suggested by the filter of the list, and by the editor', async () => {
    await write({ title: 'Tagged', content: 'x', tags: ['aviation', 'avian'] });
    const page = await enter();
    await openPage(page, at('/notes'));
    await page.getByLabel('Tag', { exact: true }).fill('avi');
    await page.getByRole('option', { name: 'aviation' }).waitFor();
    await expectNoAxeViolations(page);
    await page.getByRole('option', { name: 'aviation' }).click();
    await page.waitForURL(/tag=aviation$/);
    await page.getByRole('link', { name: 'Tagged', exact: true }).waitFor();
    await openPage(page, at('/notes/new'));
    await page.getByLabel('Tags').first().fill('avi');
    await page.getByRole('option', { name: 'aviation' }).click();
    await page.getByLabel('Title').fill('Also tagged');
    await page.getByRole('button', { name: 'Done' }).click();
    await page.getByRole('heading', { name: 'Also tagged' }).waitFor();
    expect(await page.getByRole('main').getByRole('link', { name: 'aviation' }).count()).toBe(1);
  });
});
