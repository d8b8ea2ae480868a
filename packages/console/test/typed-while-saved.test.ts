import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import type { Locator, Page } from 'playwright-core';
import { must } from '../tools/must.ts';
import { openPage } from '../tools/wait-until-idle.ts';
import { combined, kept, openConflictPage } from './support/conflict-page.ts';
import { detailOf, proposalsConsole, rowOf, text } from './support/proposals-console.ts';
import { sendHeld } from './support/send-held.ts';

const { at, agent, another, enter, contentOf, inbox, write } = proposalsConsole();

/** The choices are locked some time after they were sent. */
const untilLocked = async (page: Page, choice: Locator): Promise<void> => {
  await choice.and(page.locator(':disabled')).waitFor();
  await page.getByRole('button', { name: 'Write it yourself', disabled: true }).waitFor();
};

const stored = (page: Page): Promise<string> => page.evaluate(() => JSON.stringify(localStorage));

const openText = async (page: Page, title: string) => {
  const detail = detailOf(page, title);
  await detail.getByRole('button', { name: 'Accept', exact: true }).waitFor();
  await page.keyboard.press('e');
  const editor = detail.getByRole('textbox', { name: 'Text to accept' });
  await editor.and(page.locator(':focus')).waitFor();
  return { detail, editor, accept: detail.getByRole('button', { name: 'Accept this text' }) };
};

describe('what is written of a proposal while its text is being accepted', () => {
  it('stays, to be copied, and so does the proposal', async () => {
    const by = await another('Written on');
    const [first, second] = [await write('Decided next'), await write('Written on')];
    await by.edit(first, ['two', '2']);
    await by.edit(second, ['two', 'tow']);
    const page = await enter();
    await openPage(page, inbox(by));
    const { detail, editor, accept } = await openText(page, 'Written on');
    await editor.fill(text.replace('two', 'two, spelled'));
    const release = await sendHeld(page, '**/accept', () => accept.click());
    await editor.click();
    await page.keyboard.press('Control+End');
    await page.keyboard.type('eight, aware');
    release();
    await page.getByText('Accepted: Written on').waitFor();
    await detail.getByText('the text is kept here to copy it').waitFor();
    await detail.getByText('eight, aware').waitFor();
    expect(await contentOf(second)).toBe(text.replace('two', 'two, spelled'));
    expect(await contentOf(first)).toBe(text);
  });

  it('stays where the operator goes elsewhere meanwhile', async () => {
    const by = await another('Left');
    const id = await write('Left');
    const { id: proposalId } = await by.edit(id, ['two', 'tow']);
    const page = await enter();
    await openPage(page, inbox(by));
    const { editor, accept } = await openText(page, 'Left');
    const release = await sendHeld(page, '**/accept', () => accept.click());
    await editor.click();
    await page.keyboard.press('Control+End');
    await page.keyboard.type('eight');
    await page.getByRole('link', { name: 'Agents', exact: true }).click();
    await page.getByRole('button', { name: 'Leave', exact: true }).click();
    await page.getByRole('heading', { name: 'Agents', exact: true }).waitFor();
    release();
    await page.getByText('Accepted: Left').waitFor();
    await openPage(page, inbox(by, `&state=all&proposal=${proposalId}`));
    await detailOf(page, 'Left').getByText('eight').waitFor();
    expect(await contentOf(id)).toBe(text.replace('two', 'tow'));
  });

  it('is nothing where nothing is written: the next proposal opens', async () => {
    const by = await another('As sent');
    const [first, second] = [await write('Opened next'), await write('As sent')];
    await by.edit(first, ['two', '2']);
    await by.edit(second, ['two', 'tow']);
    const page = await enter();
    await openPage(page, inbox(by));
    const { editor, accept } = await openText(page, 'As sent');
    await editor.fill('as sent\n');
    await page.waitForFunction(() => JSON.stringify(localStorage).includes('as sent'));
    await accept.click();
    await detailOf(page, 'Opened next').waitFor();
    await rowOf(page, 'As sent').waitFor({ state: 'detached' });
    expect(await stored(page)).not.toContain('as sent');
  });
});

const openConflict = (title: string) => openConflictPage({ agent, enter, at }, title);

describe('what is written of a conflict while it is being resolved', () => {
  it.each(['Save combined text', 'Keep Ada’s unmerged version'])(
    'stays, to be copied: %s',
    async (choice) => {
      const { id, page } = await openConflict(`Written on: ${choice}`);
      await page.getByRole('button', { name: 'Write it yourself' }).click();
      await combined(page).fill('by hand\n');
      const release = await sendHeld(page, '**/resolve', () =>
        page.getByRole('button', { name: choice }).click(),
      );
      await combined(page).click();
      await page.keyboard.press('Control+End');
      await page.keyboard.type('and on');
      release();
      await page.getByText('Conflict resolved.').waitFor();
      await page.getByText('You had not saved it when the conflict was resolved.').waitFor();
      await page.getByText('and on').waitFor();
      expect(await contentOf(id)).not.toContain('and on');
    },
  );

  it('stays where the operator goes elsewhere meanwhile, and so does the page there', async () => {
    const { id, copyId, page } = await openConflict('Left behind');
    await page.getByRole('button', { name: 'Write it yourself' }).click();
    await combined(page).fill('by hand\n');
    const release = await sendHeld(page, '**/resolve', () =>
      page.getByRole('button', { name: 'Save combined text' }).click(),
    );
    await combined(page).click();
    await page.keyboard.press('Control+End');
    await page.keyboard.type('and on');
    await page.getByRole('link', { name: 'Agents', exact: true }).click();
    await page.getByRole('button', { name: 'Leave', exact: true }).click();
    await page.getByRole('heading', { name: 'Agents', exact: true }).waitFor();
    release();
    await page.getByText('Conflict resolved.').waitFor();
    await page.getByRole('heading', { name: 'Agents', exact: true }).waitFor();
    await openPage(page, at(`/notes/${copyId}/conflict`));
    await page.getByText('and on').waitFor();
    expect(await contentOf(id)).toBe('by hand\n');
  });

  it('is chosen before: the choices cannot change meanwhile', async () => {
    const { id, copyId, page } = await openConflict('Chosen');
    const { content } = await must(agent, `GET /api/notes/${copyId}`);
    await kept(page, 1).check();
    await kept(page, 2).check();
    const release = await sendHeld(page, '**/resolve', () =>
      page.getByRole('button', { name: 'Save these choices' }).click(),
    );
    await untilLocked(page, kept(page, 1));
    release();
    await page.getByText('Conflict resolved.').waitFor();
    expect(await contentOf(id)).toBe(content);
  });

  it('is chosen before in the editor, too, where another writer saved the note first', async () => {
    const id = randomUUID();
    await must(agent, `PUT /api/notes/${id}`, { title: 'Clash', content: 'one\n' });
    const page = await enter();
    await openPage(page, at(`/notes/${id}/edit`));
    const content = page.getByRole('textbox', { name: 'Content', exact: true });
    await content.fill('mine\n');
    await must(agent, `PUT /api/notes/${id}`, { title: 'Clash', content: 'theirs\n' });
    await page.getByRole('button', { name: 'Done', exact: true }).click();
    const mine = page.getByRole('radio', { name: 'Your version, change 1' });
    await mine.check();
    const release = await sendHeld(page, `**/api/notes/${id}`, () =>
      page.getByRole('button', { name: 'Save these choices' }).click(),
    );
    await untilLocked(page, mine);
    release();
    await page.getByRole('heading', { name: 'Clash', exact: true }).waitFor();
    expect(await contentOf(id)).toBe('mine\n');
  });
});
