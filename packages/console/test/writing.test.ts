import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { openPage } from '../tools/wait-until-idle.ts';
import { must } from '../tools/must.ts';
import { acmeConsole } from './support/acme-console.ts';
import { expectNoAxeViolations } from './support/axe.ts';
import { createConflict } from './support/create-conflict.ts';

const { at, agent, enter, openEditor: openSection } = acmeConsole();

const write = async (body: object, id: string = randomUUID()): Promise<string> => {
  await must(agent, `PUT /api/notes/${id}`, body);
  return id;
};

const contentOf = async (id: string): Promise<string> =>
  ((await must(agent, `GET /api/notes/${id}`)) as { readonly content: string }).content;

const openEditor = (id: string) => openSection(`/notes/${id}/edit`);

const content = (page: Page) => page.getByLabel('Content');

describe('writing a note', () => {
  it('Ctrl+S saves and stays, in every field', async () => {
    const id = await write({ title: 'Kept open', content: 'one\n' });
    const page = await openEditor(id);
    await content(page).fill('two\n');
    await page.keyboard.press('Control+s');
    await page.getByText('Saved.').first().waitFor();
    expect(await contentOf(id)).toBe('two\n');
    await page.getByLabel('Title').fill('Still open');
    await page.keyboard.press('Control+s');
    await page.getByRole('heading', { name: 'Edit Still open' }).waitFor();
    expect(await must(agent, `GET /api/notes/${id}`)).toMatchObject({
      title: 'Still open',
      content: 'two\n',
      revision: 3,
    });
    // Nothing is unsaved, so no dialog opens.
    await page.getByRole('link', { name: 'Notes', exact: true }).click();
    await page.waitForURL(`**${at('/notes')}`);
  });

  it('a new note is in the folder one looks at, and text of any script begins where it should', async () => {
    await write({ title: 'There', folder: 'plans/2026' });
    const page = await enter();
    await openPage(page, at('/notes?folder=plans%2F2026'));
    await page.getByRole('link', { name: 'New note' }).click();
    await content(page).fill('English\n\nשלום עולם\n');
    const folder = page.getByLabel('Folder', { exact: true });
    expect(await folder.inputValue()).toBe('plans/2026');
    await page.getByLabel('Title').fill('In two scripts');
    await page.getByRole('button', { name: 'Done', exact: true }).click();
    await page.getByRole('heading', { name: 'In two scripts' }).waitFor();
    const sideOf = (text: string) =>
      page.getByText(text, { exact: true }).evaluate((paragraph) => {
        const range = document.createRange();
        range.selectNodeContents(paragraph);
        const [words, box] = [range.getBoundingClientRect(), paragraph.getBoundingClientRect()];
        return words.left - box.left < box.right - words.right ? 'left' : 'right';
      });
    expect([await sideOf('English'), await sideOf('שלום עולם')]).toEqual(['left', 'right']);
  });

  it('a folder is completed in a list of the console, by keyboard and pointer, or is a new one', async () => {
    await write({ title: 'Shelved', folder: 'shelves/upper' });
    await write({ title: 'Also shelved', folder: 'shelves/lower' });
    const page = await enter();
    for (const width of [1440, 390]) {
      await page.setViewportSize({ width, height: 844 });
      await openPage(page, at('/notes/new'));
      const folder = page.getByRole('combobox', { name: 'Folder' });
      await folder.fill('');
      await folder.blur();
      await folder.focus();
      expect(await page.getByRole('option').count()).toBe(0);
      await page.keyboard.type('upper');
      const option = page.getByRole('option', { name: 'shelves/upper' });
      await option.waitFor();
      await expectNoAxeViolations(page);
      await page.keyboard.press('ArrowDown');
      expect(await folder.getAttribute('aria-activedescendant')).toBe(
        await option.getAttribute('id'),
      );
      await page.keyboard.press('Enter');
      await option.waitFor({ state: 'detached' });
      expect(await folder.inputValue()).toBe('shelves/upper');
      await folder.fill('shelves');
      await page.getByRole('option', { name: 'shelves/lower' }).click();
      expect(await folder.inputValue()).toBe('shelves/lower');
    }
    const folder = page.getByRole('combobox', { name: 'Folder' });
    await folder.fill('shelves/new one');
    await page.getByLabel('Title', { exact: true }).fill('On a new shelf');
    await page.getByRole('button', { name: 'Done', exact: true }).click();
    await page.getByRole('heading', { name: 'On a new shelf' }).waitFor();
    await page.getByRole('link', { name: 'new one' }).waitFor();
  });

  it('what the server refuses is said at the field, by its label', async () => {
    const page = await enter();
    await openPage(page, at('/notes/new'));
    await page.getByLabel('Title').fill('Misplaced');
    const folder = page.getByRole('combobox', { name: 'Folder' });
    await folder.fill('a//b');
    await page.getByRole('button', { name: 'Done', exact: true }).click();
    const said = 'is not a folder: use names separated by slashes, none of them empty';
    await page.getByRole('alert').getByText(`Folder: ${said}`).waitFor();
    await page.getByText(`I${said.slice(1)}`, { exact: true }).waitFor();
    expect(await folder.getAttribute('aria-invalid')).toBe('true');
    const described = await folder.getAttribute('aria-describedby');
    expect(await page.locator(`#${described}`).innerText()).toBe(`I${said.slice(1)}`);
    await expectNoAxeViolations(page);
    await folder.fill('a/b');
    expect(await folder.getAttribute('aria-invalid')).not.toBe('true');
  });

  it('paragraphs of two directions begin at their own sides, and code is left to right', async () => {
    const id = await write({
      title: 'Mixed',
      content:
        'مرحبا بالعالم\n\nAn English paragraph\n\n```\nconst a = 1; // تعليق\n```\n\nالأمر `ls -la` هنا\n',
    });
    const page = await enter();
    await page.setViewportSize({ width: 1600, height: 900 });
    await openPage(page, at(`/notes/${id}`));
    const marginsOf = (text: string) =>
      page.getByText(text).evaluate((block) => {
        const words = document.createRange();
        words.selectNodeContents(block);
        const [around, box] = [block.parentElement, words.getBoundingClientRect()];
        const { left = 0, right = 0 } = around?.getBoundingClientRect() ?? {};
        return { left: Math.round(box.left - left), right: Math.round(right - box.right) };
      });
    expect(await marginsOf('An English paragraph')).toMatchObject({ left: 0 });
    expect(await marginsOf('مرحبا بالعالم')).toMatchObject({ right: 0 });
    const directionOf = (text: string) =>
      page.getByText(text).evaluate((code) => getComputedStyle(code).direction);
    expect([await directionOf('const a = 1'), await directionOf('ls -la')]).toEqual(['ltr', 'ltr']);
    await page.getByText('Revision 1, by').locator('bdi').waitFor();
  });

  it('a title, the columns of a table and items of a list are at the side of their text', async () => {
    const id = await write({
      title: 'خطة الإطلاق',
      content: '| المنتج | العدد |\n|---|---|\n| تفاح | ١ |\n| GPU | 2 |\n\n- عنصر\n- item\n',
    });
    const page = await enter();
    await page.setViewportSize({ width: 1600, height: 900 });
    await openPage(page, at(`/notes/${id}`));
    await page.getByRole('cell', { name: 'GPU' }).waitFor();
    const alignments = await page.locator('main :is(th, td, li)').evaluateAll((cells) => [
      ...new Set(
        cells.map((cell) => {
          const words = document.createRange();
          words.selectNodeContents(cell);
          const [text, box] = [words.getBoundingClientRect(), cell.getBoundingClientRect()];
          return text.left - box.left > box.right - text.right ? 'right' : 'left';
        }),
      ),
    ]);
    expect(alignments).toEqual(['right']);
    const rightOf = async (text: string) => {
      const { x, width } = (await page.getByText(text).boundingBox()) ?? { x: 0, width: 0 };
      return x + width;
    };
    const { x = 0 } = (await page.getByRole('link', { name: 'Authors' }).boundingBox()) ?? {};
    expect(x - (await rightOf('خطة الإطلاق'))).toBeLessThan(40);
    expect(await rightOf('Revision 1, by')).toBe(await rightOf('خطة الإطلاق'));
    await expectNoAxeViolations(page);
  });

  it('a draft survives a reload, and can be discarded', async () => {
    const id = await write({ title: 'Drafted', content: 'one\n' });
    const page = await openEditor(id);
    await content(page).fill('one, and more\n');
    await page.waitForFunction(() => JSON.stringify(localStorage).includes('one, and more'));
    page.on('dialog', (dialog) => void dialog.accept());
    await page.reload();
    await page.getByText('Your unsaved draft is back').waitFor();
    await content(page).getByText('one, and more').waitFor();
    await expectNoAxeViolations(page);
    await page.getByRole('button', { name: 'Discard draft' }).click();
    await page.getByText('Draft discarded.').waitFor();
    await content(page).getByText('and more').waitFor({ state: 'detached' });
    await content(page).getByText('one', { exact: true }).waitFor();
    expect(await contentOf(id)).toBe('one\n');
    expect(await page.evaluate(() => JSON.stringify(localStorage))).not.toContain('and more');
  });

  it('a draft of an older version is merged with the newer one', async () => {
    const id = await write({ title: 'Merged draft', content: 'one\ntwo\nthree\n' });
    const page = await openEditor(id);
    await content(page).fill('one, by me\ntwo\nthree\n');
    await page.waitForFunction(() => JSON.stringify(localStorage).includes('one, by me'));
    page.on('dialog', (dialog) => void dialog.accept());
    await page.goto('about:blank');
    await write({ title: 'Merged draft', content: 'one\ntwo\nthree, by them\n' }, id);
    await openPage(page, at(`/notes/${id}/edit`));
    await page.getByText('Changes of someone else were added').waitFor();
    await page.getByRole('button', { name: 'Done', exact: true }).click();
    await page.getByRole('heading', { name: 'Merged draft', exact: true }).waitFor();
    expect(await contentOf(id)).toBe('one, by me\ntwo\nthree, by them\n');
  });

  it('somebody else’s edit arrives while one writes, and both are saved', async () => {
    const id = await write({ title: 'Live', content: 'one\ntwo\nthree\n' });
    const page = await openEditor(id);
    await content(page).click();
    await page.keyboard.press('Control+Home');
    await page.keyboard.type('zero, ');
    await write({ title: 'Live', content: 'one\ntwo\nthree\nfour\n' }, id);
    await page.getByText('Changes of someone else were added').waitFor();
    // The cursor is where it was, and undo takes back only what was typed here.
    await page.keyboard.type('and ');
    expect(await content(page).innerText()).toContain('zero, and one');
    expect(await content(page).innerText()).toContain('four');
    await page.keyboard.press('Control+s');
    await page.getByText('Saved.').first().waitFor();
    expect(await contentOf(id)).toBe('zero, and one\ntwo\nthree\nfour\n');
  });

  it('the toolbar formats the selection, by mouse and by keyboard', async () => {
    const id = await write({ title: 'Formatted', content: 'plain' });
    const page = await openEditor(id);
    const tools = page.getByRole('toolbar', { name: 'Formatting' });
    await content(page).click();
    await page.keyboard.press('Control+a');
    await tools.getByRole('button', { name: 'Bold' }).click();
    expect(await content(page).innerText()).toBe('**plain**');
    await tools.getByRole('button', { name: 'Bold' }).click();
    await tools.getByRole('button', { name: 'Task list' }).focus();
    await page.keyboard.press('Enter');
    expect(await content(page).innerText()).toBe('- [ ] plain');
    // Tab leaves the editor.
    await content(page).focus();
    await page.keyboard.press('Tab');
    expect(await content(page).evaluate((field) => field.contains(document.activeElement))).toBe(
      false,
    );
  });

  it.each([
    ['Heading', '## Abc'],
    ['Quotation', '> Abc'],
    ['Bulleted list', '- Abc'],
    ['Numbered list', '1. Abc'],
    ['Task list', '- [ ] Abc'],
    ['Bold', '**Abc**'],
    ['Italic', '_Abc_'],
    ['Code', '`Abc`'],
    ['Link to a note', '[[Abc]]'],
  ])('%s on an empty line leaves the caret where the words go', async (tool, expected) => {
    const id = await write({ title: `Begun by ${tool}`, content: '' });
    const page = await openEditor(id);
    await content(page).click();
    await page
      .getByRole('toolbar', { name: 'Formatting' })
      .getByRole('button', { name: tool, exact: true })
      .click();
    await page.keyboard.type('Abc');
    expect(await content(page).innerText()).toBe(expected);
  });

  it('Tab leads from the title to the text, and back by one stop for the toolbar', async () => {
    const page = await enter();
    await openPage(page, at('/notes/new'));
    await content(page).waitFor();
    const focused = () =>
      page.evaluate(() => document.activeElement?.getAttribute('aria-label') ?? '');
    await page.getByLabel('Title').click();
    await page.keyboard.type('Tabbed');
    await page.keyboard.press('Tab');
    expect(await focused()).toBe('Content');
    await page.keyboard.press('Shift+Tab');
    expect(await focused()).toBe('Heading');
    await page.keyboard.press('ArrowRight');
    expect(await focused()).toBe('Bold');
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('ArrowLeft');
    expect(await focused()).toBe('Link to a note');
    await page.keyboard.press('Shift+Tab');
    expect(await focused()).toBe('Title');
    await page.keyboard.press('Tab');
    await page.keyboard.type('words');
    expect(await content(page).innerText()).toBe('words');
  });

  it('[[ offers titles of notes', async () => {
    await write({ title: 'Boiling points', content: 'x' });
    const id = await write({ title: 'Linking', content: '' });
    const page = await openEditor(id);
    await content(page).click();
    await page.keyboard.type('see [[boil');
    await page.getByRole('option', { name: 'Boiling points' }).waitFor();
    await page.waitForTimeout(100);
    await page.keyboard.press('Enter');
    expect(await content(page).innerText()).toBe('see [[Boiling points]]');
  });

  it('a list goes on in the next line, and an address pasted over a word becomes its link', async () => {
    const id = await write({ title: 'Going on', content: 'see docs' });
    const page = await openEditor(id);
    await content(page).click();
    await page.keyboard.press('Control+Shift+ArrowLeft');
    await content(page).evaluate((field) => {
      const clipboardData = new DataTransfer();
      clipboardData.setData('text/plain', 'https://example.org/');
      field.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true }));
    });
    await page.keyboard.press('Control+End');
    await page.keyboard.type('\n\n- one');
    await page.keyboard.press('Enter');
    await page.keyboard.type('two');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Backspace');
    await page.keyboard.type('<b>');
    const lines = (await content(page).innerText()).split('\n').map((line) => line.trimEnd());
    expect(lines.filter((line) => line !== '')).toEqual([
      'see [docs](https://example.org/)',
      '- one',
      '- two',
      '  <b>',
    ]);
  });

  it('keeps line breaks of other systems as they are', async () => {
    const id = await write({ title: 'From afar', content: 'one\r\ntwo\r\n' });
    const page = await openEditor(id);
    await page.getByLabel('Title').fill('From near');
    await page.getByRole('button', { name: 'Done', exact: true }).click();
    await page.getByRole('heading', { name: 'From near', exact: true }).waitFor();
    expect(await contentOf(id)).toBe('one\r\ntwo\r\n');
  });
});

/** Holds the next PUT of a note back until `release` is called. */
const holdWrite = async (page: Page) => {
  const arrived = Promise.withResolvers<void>();
  const released = Promise.withResolvers<void>();
  await page.route(
    (url) => /\/api\/notes\/[^/]+$/.test(url.pathname),
    async (route) => {
      if (route.request().method() === 'PUT') {
        arrived.resolve();
        await released.promise;
      }
      await route.fallback();
    },
  );
  return { arrived: arrived.promise, release: () => released.resolve() };
};

describe('what is written while a save is running', () => {
  it('stays when the save meets a change of the same line', async () => {
    const id = await write({ title: 'Contended', content: 'one\n' });
    const page = await openEditor(id);
    const held = await holdWrite(page);
    await content(page).fill('one, by me');
    await page.keyboard.press('Control+s');
    await held.arrived;
    await page.keyboard.type(', and later words');
    await write({ title: 'Contended', content: 'one, by them\n' }, id);
    held.release();
    await page.getByText('Someone else saved this note first').waitFor();
    await page.getByRole('button', { name: 'Write it yourself' }).click();
    expect(await content(page).innerText()).toContain('one, by me, and later words');
  });

  it('stays when the note is created by it', async () => {
    const page = await enter();
    await openPage(page, at('/notes/new'));
    const held = await holdWrite(page);
    await page.getByLabel('Title').fill('Begun');
    await content(page).click();
    await page.keyboard.type('first words');
    await page.keyboard.press('Control+s');
    await held.arrived;
    await page.keyboard.type(' and later ones');
    held.release();
    await page.getByRole('heading', { name: 'Edit Begun' }).waitFor();
    await content(page).waitFor();
    expect(await content(page).innerText()).toBe('first words and later ones');
    await page.getByRole('button', { name: 'Done', exact: true }).click();
    await page.getByRole('heading', { name: 'Begun', exact: true }).waitFor();
    await openPage(page, at('/notes/new'));
    await content(page).waitFor();
    expect(await content(page).innerText()).not.toContain('first words');
  });
});

describe('a task list', () => {
  it('is checked where the note is read', async () => {
    const id = await write({ title: 'Tasks', content: 'Do:\n\n- [ ] boil\n- [x] pour\n' });
    const page = await enter();
    await openPage(page, at(`/notes/${id}`));
    await page.getByRole('checkbox', { name: 'To do' }).click();
    await page.getByText('Revision 2').waitFor();
    expect(await contentOf(id)).toBe('Do:\n\n- [x] boil\n- [x] pour\n');
  });
});

describe('a conflict', () => {
  it('is resolved by a text combined from both versions, whose changed words are marked', async () => {
    const contents = [100, 90, 80].map((degrees) => `water boils at ${degrees}\n`);
    const { id, copyId } = await createConflict(agent, 'Twofold', contents);
    const page = await enter();
    await openPage(page, at(`/notes/${copyId}/conflict`));
    const marked = page.getByLabel('Differences').locator('mark');
    await marked.first().waitFor();
    expect(await marked.allInnerTexts()).toEqual(['90', '80']);
    await page.getByRole('button', { name: 'Write it yourself' }).click();
    const combined = page.getByRole('textbox', { name: 'Combined text' });
    await combined.waitFor();
    expect(await combined.innerText()).toContain('water boils at 90\nwater boils at 80');
    await expectNoAxeViolations(page);
    await combined.fill('water boils at 80 to 90\n');
    await page.getByRole('button', { name: 'Save combined text' }).click();
    await page.getByText('Conflict resolved.').waitFor();
    expect(await contentOf(id)).toBe('water boils at 80 to 90\n');
    expect(await must(agent, 'GET /api/notes?conflicts=only')).toMatchObject({ items: [] });
  });

  it('is open again after Undo, with both versions as they were', async () => {
    const contents = ['rice\n', 'brown rice\n', 'red rice\n'];
    const { id, copyId } = await createConflict(agent, 'Boiled', contents);
    const page = await enter();
    // They are named after who changed them last: after an Undo that is the operator.
    const choices = page.getByRole('button', { name: /^Keep / });
    for (const place of [0, 1, 2]) {
      await openPage(page, at(`/notes/${copyId}/conflict`));
      await choices.nth(2).waitFor();
      await choices.nth(place).click();
      await page.getByText('Conflict resolved.').waitFor();
      await page.getByRole('button', { name: 'Undo', exact: true }).click();
      await page.getByText('The conflict is open again.', { exact: true }).waitFor();
      expect([await contentOf(id), await contentOf(copyId)]).toEqual(contents.slice(1));
      expect(await must(agent, `GET /api/notes/${id}/conflicts`)).toMatchObject({
        items: [{ id: copyId }],
      });
    }
    expect(await must(agent, 'GET /api/notes?conflicts=exclude&q=rice')).toMatchObject({
      items: [{ id }],
    });
  });

  it('stays in the list when its note is deleted, which is said before', async () => {
    const { id } = await createConflict(agent, 'Left behind', ['a\n', 'b\n', 'c\n']);
    const page = await enter();
    await openPage(page, at(`/notes/${id}`));
    await page.getByRole('button', { name: 'Delete…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Delete Left behind?' });
    await dialog.getByText(/One conflict copy stays in the list/).waitFor();
    await dialog.getByRole('button', { name: 'Delete note' }).click();
    await page.getByText('Deleted: Left behind').waitFor();
    expect(await must(agent, `GET /api/notes/${id}/conflicts`)).toMatchObject({
      items: [{ conflictOf: id }],
    });
  });

  it('is shown as resolved on the way back to its page', async () => {
    const contents = ['tea\n', 'green tea\n', 'black tea\n'];
    const { id, copyId } = await createConflict(agent, 'Steeped', contents);
    const page = await enter();
    await openPage(page, at(`/notes/${copyId}/conflict`));
    await page
      .getByRole('button', { name: /^Keep (?!both)/ })
      .first()
      .click();
    await page.waitForURL(`**/notes/${id}`);
    await page.getByText('Conflict resolved.').waitFor();
    await page.goBack();
    await page.getByText(/This conflict is resolved: .* removed, .*, the version that/).waitFor();
    expect(await page.getByRole('button', { name: /^Keep/ }).count()).toBe(0);
  });
});
