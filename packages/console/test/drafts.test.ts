import { describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { must } from '../tools/must.ts';
import { openPage } from '../tools/wait-until-idle.ts';
import { expectNoAxeViolations } from './support/axe.ts';
import { combined, kept, openConflictPage } from './support/conflict-page.ts';
import { detailOf, proposalsConsole, text } from './support/proposals-console.ts';
import { fillLogin } from './support/sign-in.ts';
import { board } from './support/start-console.ts';

const { at, agent, another, enter, contentOf, inbox, reject, write } = proposalsConsole();

const stored = (page: Page): Promise<string> => page.evaluate(() => JSON.stringify(localStorage));

const untilStored = (page: Page, words: string) =>
  page.waitForFunction((part) => JSON.stringify(localStorage).includes(part), words);

/** Loads the page again, and confirms that it is left. */
const reload = async (page: Page): Promise<void> => {
  page.once('dialog', (dialog) => void dialog.accept());
  await page.reload();
};

/** The browser has no space for drafts any more. */
const refuseToStore = (page: Page) =>
  page.evaluate(() => {
    Storage.prototype.setItem = () => {
      throw new DOMException('Full.', 'QuotaExceededError');
    };
  });

const discard = (page: Page) => page.getByRole('button', { name: 'Discard draft' }).click();

const content = (page: Page) => page.getByRole('textbox', { name: 'Content', exact: true });

const openEditor = async (path: string): Promise<Page> => {
  const page = await enter();
  await openPage(page, at(path));
  await content(page).waitFor();
  return page;
};

const state = (page: Page) => page.locator('[data-save-state]');

const openConflict = (title: string) => openConflictPage({ agent, enter, at }, title);

const writeCombined = async (page: Page, words: string): Promise<void> => {
  await page.getByRole('button', { name: 'Write it yourself' }).click();
  await combined(page).fill(words);
};

describe('what is chosen and written of a conflict', () => {
  it('survives a reload, until it is discarded', async () => {
    const { page } = await openConflict('Reloaded');
    await kept(page, 1).check();
    await untilStored(page, 'choices');
    await reload(page);
    await page.getByText('Your unsaved draft is back').waitFor();
    expect(await kept(page, 1).isChecked()).toBe(true);
    expect(await kept(page, 2).isChecked()).toBe(false);
    await writeCombined(page, 'by hand\n');
    // At once: what is in no draft yet is written as the page goes.
    await reload(page);
    await combined(page).getByText('by hand').waitFor();
    await expectNoAxeViolations(page);
    await discard(page);
    await combined(page).waitFor({ state: 'detached' });
    expect(await kept(page, 1).isChecked()).toBe(false);
    expect(await stored(page)).not.toContain('by hand');
    await page.reload();
    await kept(page, 1).waitFor();
    expect(await page.getByText('Your unsaved draft is back').count()).toBe(0);
  });

  it('is no draft any more once it is saved', async () => {
    const { id, page } = await openConflict('Saved');
    await writeCombined(page, 'by hand, saved\n');
    await untilStored(page, 'by hand, saved');
    await page.getByRole('button', { name: 'Save combined text' }).click();
    await page.getByText('Conflict resolved.').waitFor();
    await page.getByRole('heading', { name: 'Saved', exact: true }).waitFor();
    expect(await contentOf(id)).toBe('by hand, saved\n');
    expect(await stored(page)).not.toContain('by hand');
  });

  it('is offered, and not applied, where the versions have changed since; saving replaces nothing unseen', async () => {
    const { id, page } = await openConflict('Moved on');
    await writeCombined(page, 'first by hand\nsame\nsame\nlast by hand\n');
    await untilStored(page, 'last by hand');
    const changed = 'first by them\nsame\nsame\nlast 2\n';
    await must(agent, `PUT /api/notes/${id}`, { title: 'Moved on', content: changed });
    await reload(page);
    await page.getByText('You have an unsaved draft of earlier versions').waitFor();
    await expectNoAxeViolations(page);
    expect(await combined(page).count()).toBe(0);
    await page.getByRole('button', { name: 'Go on with the draft' }).click();
    await combined(page).getByText('last by hand').waitFor();
    await page.getByRole('button', { name: 'Save combined text' }).click();
    await page.getByText('The newest version is above').waitFor();
    expect(await contentOf(id)).toBe(changed);
    // What was written before the newest version was shown does not count as made of it; what is chosen of it is kept beside.
    await kept(page, 1).check();
    await untilStored(page, String.raw`last 2\\nlast 3`);
    await reload(page);
    await page.getByText('You have an unsaved draft of earlier versions').waitFor();
    await page.getByRole('button', { name: 'Go on with the draft' }).click();
    await combined(page).getByText('last by hand').waitFor();
    await page.getByLabel('Unsaved text', { exact: true }).getByText('first 3').waitFor();
    // A whole version is kept only on the revision that is displayed.
    await page.getByRole('button', { name: 'Keep Ada’s unmerged version' }).click();
    await page.getByText('The newest version is above').waitFor();
    expect(await contentOf(id)).toBe(changed);
    await must(agent, `DELETE /api/notes/${id}`);
    await page.getByText('The note was deleted.').waitFor();
    await combined(page).getByText('last by hand').waitFor();
  });

  it('survives a second failure after a newer version, is said not to be kept, and is no draft once it is taken back', async () => {
    const { id, page } = await openConflict('Failed twice');
    await kept(page, 1).check();
    await kept(page, 2).check();
    const content = 'first by them\nsame\nsame\nlast by them\n';
    const put = (words: string) =>
      must(agent, `PUT /api/notes/${id}`, { title: 'Failed twice', content: words });
    await put('first by them\nsame\nsame\nlast 2\n');
    const save = page.getByRole('button', { name: 'Save these choices' });
    await save.click();
    await page.getByText('The newest version is above').waitFor();
    // The choice of the change that is as it was applies still; what was chosen of the other one can be copied.
    const earlier = page.getByLabel('Unsaved text', { exact: true });
    const expectCarried = async () => {
      await earlier.getByText('first 3').waitFor();
      expect(await kept(page, 1).isChecked()).toBe(false);
      expect(await kept(page, 2).isChecked()).toBe(true);
    };
    await expectCarried();
    await untilStored(page, 'first by them');
    await reload(page);
    await page.getByText('Your unsaved draft is back').waitFor();
    await expectCarried();
    await expectNoAxeViolations(page);
    await kept(page, 1).check();
    await put(content);
    await save.click();
    await page.getByText('The newest version is above').waitFor();
    await kept(page, 2).check();
    expect(await kept(page, 1).isChecked()).toBe(true);
    await page.route('**/resolve', (route) => route.abort());
    await save.click();
    await page.getByText('Commonplace is unreachable').waitFor();
    expect(await kept(page, 2).isChecked()).toBe(true);
    await reload(page);
    await page.getByText('Your unsaved draft is back').waitFor();
    await discard(page);
    await writeCombined(page, 'by hand, taken back\n');
    await untilStored(page, 'taken back');
    await combined(page).fill(content);
    await page.waitForFunction(() => !JSON.stringify(localStorage).includes('taken back'));
    await refuseToStore(page);
    await combined(page).fill('by hand, refused\n');
    await page.getByText('Unsaved changes, not kept in this browser').waitFor();
  });

  it('deletes no text of the other version that was not seen: it is shown first, and a draft made of another one can be copied', async () => {
    const { id, copyId, page } = await openConflict('Copy moved on');
    await writeCombined(page, 'by hand, of two\n');
    await untilStored(page, 'by hand, of two');
    const rewrite = (words: string) =>
      must(agent, `PUT /api/notes/${copyId}`, { title: 'Copy moved on', content: words });
    await rewrite('first copied\nsame\nsame\nlast copied\n');
    await page.getByRole('button', { name: 'Save combined text' }).click();
    await page.getByText('The newest version is above').waitFor();
    await page.getByText('last copied').first().waitFor();
    expect(await contentOf(id)).toContain('last 2');
    await reload(page);
    const left = page.getByLabel('Unsaved text', { exact: true });
    await left.getByText('by hand, of two').waitFor();
    await expectNoAxeViolations(page);
    await discard(page);
    await left.waitFor({ state: 'detached' });
    await kept(page, 1).waitFor();
    await rewrite('first again\nsame\nsame\nlast again\n');
    await page
      .getByRole('button', { name: /^Keep (?!both)/ })
      .first()
      .click();
    await page.getByText('The newest version is above').waitFor();
    await page.getByText('last again').first().waitFor();
    expect(await contentOf(id)).toContain('last 2');
    await page
      .getByRole('button', { name: /^Keep (?!both)/ })
      .first()
      .click();
    await page.getByText('Conflict resolved.').waitFor();
    expect(await contentOf(id)).toContain('last 2');
  });

  it('is kept as one leaves, also where the session has ended, and can be copied after another operator resolved the conflict', async () => {
    const { id, copyId, page } = await openConflict('Ended');
    await writeCombined(page, 'by hand, for later\n');
    await page.context().clearCookies();
    const dialog = page.getByRole('dialog', { name: 'Your session has ended' });
    await dialog.getByText('kept in this browser as drafts').waitFor();
    await dialog.getByRole('button', { name: 'Leave this page' }).click();
    await page.waitForURL('**/login?next=**');
    await fillLogin(page, board);
    await page.waitForURL('**/conflict');
    await combined(page).getByText('by hand, for later').waitFor();
    await page.getByRole('link', { name: 'Dashboard' }).click();
    const leaving = page.getByRole('dialog', { name: 'Leave without saving?' });
    await leaving.getByText('stay in this browser as a draft').waitFor();
    await leaving.getByRole('button', { name: 'Leave', exact: true }).click();
    await page.getByRole('heading', { name: 'Dashboard' }).waitFor();
    await must(agent, `DELETE /api/notes/${copyId}`);
    await openPage(page, at(`/notes/${copyId}/conflict`));
    await page.getByText(/This conflict is resolved: .* removed, .*, the version that/).waitFor();
    await page.getByLabel('Unsaved text', { exact: true }).getByText('for later').waitFor();
    await expectNoAxeViolations(page);
    await discard(page);
    await page.getByText('You have an unsaved draft').waitFor({ state: 'detached' });
    expect(await stored(page)).not.toContain('for later');
    expect(await contentOf(id)).toContain('first 2');
  });
});

describe('an edited proposal', () => {
  const open = async (name: string) => {
    const by = await another(name);
    const noteId = await write(name);
    const { id } = await by.edit(noteId, ['two', 'tow']);
    const page = await enter();
    await openPage(page, inbox(by));
    const detail = detailOf(page, name);
    const editor = detail.getByRole('textbox', { name: 'Text to accept' });
    await detail.getByRole('button', { name: 'Accept', exact: true }).waitFor();
    await page.keyboard.press('e');
    await editor.fill(text.replace('two', 'two, by hand'));
    return { id, noteId, page, detail, editor };
  };
  const goOn = (page: Page) => page.getByRole('button', { name: 'Go on with the draft' });

  it('survives a reload and Cancel, and is no draft any more once it is accepted', async () => {
    const { noteId, page, detail, editor } = await open('Kept');
    await untilStored(page, 'two, by hand');
    // What another tab writes meanwhile is a draft of its own.
    const second = await page.context().newPage();
    await openPage(second, page.url());
    await second.getByRole('button', { name: 'Accept', exact: true }).waitFor();
    expect(await goOn(second).count()).toBe(0);
    await second.keyboard.press('e');
    await second.getByRole('textbox', { name: 'Text to accept' }).fill('in the second tab\n');
    await untilStored(second, 'in the second tab');
    await reload(page);
    await goOn(page).waitFor();
    await expectNoAxeViolations(page);
    await goOn(page).click();
    await editor.getByText('two, by hand').waitFor();
    await page.getByText('Your unsaved draft is back').waitFor();
    await detail.getByRole('button', { name: 'Cancel' }).click();
    await goOn(page).click();
    await editor.getByText('two, by hand').waitFor();
    await detail.getByRole('button', { name: 'Accept this text' }).click();
    await page.getByText('Accepted: Kept, revision 2.').waitFor();
    expect(await contentOf(noteId)).toContain('two, by hand');
    await second.close();
    expect(await stored(page)).not.toContain('by hand');
  });

  it('can be discarded, before it is opened again and in its editor', async () => {
    const { page, detail, editor } = await open('Given up');
    await detail.getByRole('button', { name: 'Cancel' }).click();
    await goOn(page).waitFor();
    await discard(page);
    await goOn(page).waitFor({ state: 'detached' });
    expect(await stored(page)).not.toContain('by hand');
    await page.keyboard.press('e');
    await editor.getByText('tow').waitFor();
    await editor.fill('again, by hand\n');
    await detail.getByRole('button', { name: 'Cancel' }).click();
    await goOn(page).click();
    await editor.getByText('again, by hand').waitFor();
    await discard(page);
    await editor.waitFor({ state: 'detached' });
    expect(await goOn(page).count()).toBe(0);
    expect(await stored(page)).not.toContain('by hand');
    // What no draft keeps is dropped only after it is confirmed.
    await page.keyboard.press('e');
    await editor.getByText('tow').waitFor();
    await refuseToStore(page);
    await editor.fill('refused\n');
    await page.getByText('Unsaved changes, not kept in this browser').waitFor();
    await detail.getByRole('button', { name: 'Cancel' }).click();
    await page.getByText('Your changes will be lost.').waitFor();
    await page.getByRole('button', { name: 'Stay' }).click();
    await editor.getByText('refused').waitFor();
  });

  it('is there to be copied where another operator decided meanwhile', async () => {
    const { id, page } = await open('Decided');
    await reject(id);
    const left = page.getByLabel('Unsaved text', { exact: true });
    await left.getByText('two, by hand').waitFor();
    await expectNoAxeViolations(page);
    await discard(page);
    await left.waitFor({ state: 'detached' });
    expect(await stored(page)).not.toContain('by hand');
  });
});

describe('a draft of a note', () => {
  it('is one for each tab that edits the note: no tab overwrites what another one did not save', async () => {
    const id = await write('In two tabs', 'one\nsame\nsame\ntwo\n');
    const path = `/notes/${id}/edit`;
    const first = await openEditor(path);
    const openAgain = async () => {
      const page = await first.context().newPage();
      page.on('dialog', (dialog) => void dialog.accept());
      await openPage(page, at(path));
      await content(page).waitFor();
      return page;
    };
    const elsewhere = (page: Page) => page.getByText('This note is being edited in another tab');
    expect(await elsewhere(first).count()).toBe(0);
    await content(first).fill('one, in the first tab\nsame\nsame\ntwo\n');
    await untilStored(first, 'in the first tab');
    const second = await openAgain();
    await elsewhere(second).waitFor();
    await elsewhere(first).waitFor();
    await expectNoAxeViolations(second);
    expect((await content(second).innerText()).split('\n')[0]).toBe('one');
    await content(second).fill('one\nsame\nsame\ntwo, in the second tab\n');
    await untilStored(second, 'in the second tab');
    expect(await stored(second)).toContain('in the first tab');
    // Each goes on with its own.
    await second.reload();
    await content(second).getByText('two, in the second tab').waitFor();
    await elsewhere(second).waitFor();
    await content(second).fill('one\nsame\nsame\ntwo, in the second tab, closed\n');
    // At once: the last words are written as the page goes.
    await second.close({ runBeforeUnload: true });
    await untilStored(first, 'in the second tab, closed');
    await elsewhere(first).waitFor({ state: 'detached' });
    await reload(first);
    await content(first).getByText('one, in the first tab').waitFor();
    const left = first.getByLabel('Unsaved text', { exact: true });
    await left.getByText('two, in the second tab, closed').waitFor();
    await expectNoAxeViolations(first);
    expect(await elsewhere(first).count()).toBe(0);
    // A tab that is opened now goes on with the one that is left.
    const third = await openAgain();
    await content(third).getByText('two, in the second tab, closed').waitFor();
    await third.keyboard.press('Control+s');
    await third.locator('[data-save-state]').getByText('Saved', { exact: true }).waitFor();
    await first.bringToFront();
    await content(first).getByText('two, in the second tab, closed').waitFor();
    await first.getByRole('button', { name: 'Done', exact: true }).click();
    await first.getByRole('heading', { name: 'In two tabs', exact: true }).waitFor();
    expect(await contentOf(id)).toBe(
      'one, in the first tab\nsame\nsame\ntwo, in the second tab, closed\n',
    );
    await third.close();
    expect(await stored(first)).not.toContain('in the second tab');
  });

  it('has the last word too, however soon the page is closed after it', async () => {
    const id = await write('Closed', 'one\n');
    const page = await openEditor(`/notes/${id}/edit`);
    await content(page).fill('one, and the last word\n');
    await reload(page);
    await page.getByText('Your unsaved draft is back').waitFor();
    await content(page).getByText('one, and the last word').waitFor();
    expect(await contentOf(id)).toBe('one\n');
  });

  it('is said to be kept only where the browser has stored it, in a line that screen readers say', async () => {
    const id = await write('Refused', 'one\n');
    const page = await openEditor(`/notes/${id}/edit`);
    await content(page).fill('one, stored\n');
    await untilStored(page, 'one, stored');
    await page.evaluate(() => window.dispatchEvent(new Event('offline')));
    await state(page).and(page.getByRole('status')).waitFor();
    await state(page).getByText('Offline, kept in this browser', { exact: true }).waitFor();
    await refuseToStore(page);
    await content(page).fill('one, refused\n');
    await state(page).getByText('Offline, not kept in this browser', { exact: true }).waitFor();
    await page.evaluate(() => window.dispatchEvent(new Event('online')));
    await state(page).getByText('Unsaved changes, not kept in this browser').waitFor();
    await page.getByRole('link', { name: 'Cancel' }).click();
    await page.getByText('Your changes will be lost.').waitFor();
    expect(await stored(page)).not.toContain('refused');
  });

  it('is said not to be kept where the browser gives no storage at all', async () => {
    const id = await write('Nowhere', 'one\n');
    const page = await enter();
    await page.addInitScript(() => {
      Object.defineProperty(window, 'localStorage', {
        get: () => {
          throw new DOMException('Refused.', 'SecurityError');
        },
      });
    });
    await openPage(page, at(`/notes/${id}/edit`));
    await content(page).waitFor();
    await content(page).fill('one, nowhere\n');
    await state(page).getByText('Unsaved changes, not kept in this browser').waitFor();
    await page.getByRole('button', { name: 'Done', exact: true }).click();
    await page.getByRole('heading', { name: 'Nowhere', exact: true }).waitFor();
    expect(await contentOf(id)).toBe('one, nowhere\n');
  });

  it('is kept, and said to be, where another writer saved first', async () => {
    const id = await write('Overtaken', 'one\n');
    const page = await openEditor(`/notes/${id}/edit`);
    await content(page).fill('one, by me\n');
    await must(agent, `PUT /api/notes/${id}`, { title: 'Overtaken', content: 'one, by them\n' });
    await page.getByRole('button', { name: 'Done', exact: true }).click();
    await page.getByText('Someone else saved this note first').waitFor();
    const leaving = page.getByRole('dialog', { name: 'Leave without saving?' });
    await page.getByRole('link', { name: 'Dashboard' }).click();
    await leaving.getByText('stay in this browser as a draft').waitFor();
    await leaving.getByRole('button', { name: 'Leave', exact: true }).click();
    await page.getByRole('heading', { name: 'Dashboard' }).waitFor();
    await openPage(page, at(`/notes/${id}/edit`));
    await page.getByText('Your unsaved draft is back').waitFor();
    await content(page).getByText('one, by me').waitFor();
    await page.getByRole('button', { name: 'Compare' }).click();
    await page.getByText('Someone else saved this note first').waitFor();
    await page.getByRole('link', { name: 'Dashboard' }).click();
    await leaving.getByRole('button', { name: 'Discard draft' }).click();
    await page.getByRole('heading', { name: 'Dashboard' }).waitFor();
    expect(await stored(page)).not.toContain('by me');
  });
});

describe('a new note that was not saved', () => {
  const begin = async (page: Page, title: string): Promise<void> => {
    await page.getByLabel('Title').fill(title);
    await untilStored(page, title);
  };

  it('has a draft of its own in each tab, and saving one leaves the other', async () => {
    const first = await openEditor('/notes/new');
    await begin(first, 'First begun');
    const second = await first.context().newPage();
    // Another tab does not write into the same one.
    const address = first.url();
    await openPage(second, address);
    await second.getByText('This new note is being edited in another tab').waitFor();
    await expectNoAxeViolations(second);
    await second.getByRole('link', { name: 'Begin another note' }).click();
    await content(second).waitFor();
    expect(await second.getByLabel('Title').inputValue()).toBe('');
    await second.getByRole('link', { name: 'First begun' }).waitFor();
    await begin(first, 'First renamed');
    await second.getByRole('link', { name: 'First renamed' }).waitFor();
    await begin(second, 'Second begun');
    await second.getByRole('button', { name: 'Done', exact: true }).click();
    await second.getByRole('heading', { name: 'Second begun', exact: true }).waitFor();
    await reload(first);
    await first.getByText('Your unsaved draft is back').waitFor();
    expect(await first.getByLabel('Title').inputValue()).toBe('First renamed');
    expect(await stored(first)).not.toContain('Second begun');
    // Another tab goes on with it once this one is closed.
    await openPage(second, address);
    await second.getByText('This new note is being edited in another tab').waitFor();
    await first.close();
    await second.getByText('Your unsaved draft is back').waitFor();
    expect(await second.getByLabel('Title').inputValue()).toBe('First renamed');
    // Saving removes it also where the page stays open with the note that it has created.
    await second.getByLabel('Title').press('Control+s');
    await second.getByRole('heading', { name: 'Edit First renamed' }).waitFor();
    await second.waitForFunction(() => !JSON.stringify(localStorage).includes('First renamed'));
  });

  it('is found again in the list of notes and beside a new one, to go on with or to discard', async () => {
    const page = await openEditor('/notes/new?folder=begun');
    await begin(page, 'Left behind');
    await page.getByRole('link', { name: 'Cancel' }).click();
    const leaving = page.getByRole('dialog', { name: 'Leave without saving?' });
    await leaving.getByRole('button', { name: 'Leave', exact: true }).click();
    await page.getByText('An unsaved new note').waitFor();
    await expectNoAxeViolations(page);
    await openPage(page, at('/notes/new'));
    await expectNoAxeViolations(page);
    await page.getByRole('link', { name: 'Left behind' }).click();
    await page.getByText('Your unsaved draft is back').waitFor();
    expect(await page.getByLabel('Title').inputValue()).toBe('Left behind');
    expect(await page.getByLabel('Folder', { exact: true }).inputValue()).toBe('begun');
    await openPage(page, at('/notes'));
    await page.getByRole('button', { name: 'Discard draft Left behind' }).click();
    await page.getByText('An unsaved new note').waitFor({ state: 'detached' });
    expect(await stored(page)).not.toContain('Left behind');
    // One that a console of an earlier version has kept is not listed beside itself.
    await openPage(page, at('/notes/new'));
    await begin(page, 'Kept long ago');
    page.once('dialog', (dialog) => void dialog.accept());
    await openPage(page, at('/notes'));
    await page.evaluate(() => {
      const [key = ''] = Object.keys(localStorage).filter((each) => each.includes('.new.'));
      localStorage.setItem(key.replace(/\.new\..*/u, '.new'), localStorage.getItem(key) ?? '');
      localStorage.removeItem(key);
    });
    await openPage(page, at('/notes/new?draft=earlier'));
    await page.getByText('Your unsaved draft is back').waitFor();
    expect(await page.getByText('An unsaved new note').count()).toBe(0);
  });

  it('is not kept beside 20 others, which stay, and the editor says so', async () => {
    const page = await openEditor('/notes/new');
    page.on('dialog', (dialog) => void dialog.accept());
    await begin(page, 'Copied');
    await page.evaluate(() => {
      const [key = ''] = Object.keys(localStorage).filter((each) => each.includes('.new.'));
      for (let count = 1; count < 20; count += 1) {
        localStorage.setItem(`${key}-${count}`, localStorage.getItem(key) ?? '');
      }
    });
    await openPage(page, at('/notes'));
    await openPage(page, at('/notes/new'));
    await page.getByText('20 unsaved new notes').waitFor();
    await page.getByText('This browser keeps 20 of them').waitFor();
    await page.getByLabel('Title').fill('One too many');
    await state(page).getByText('Unsaved changes, not kept in this browser').waitFor();
    expect(await page.getByRole('button', { name: 'Discard draft Copied' }).count()).toBe(3);
    await page.getByRole('button', { name: 'Show all 20' }).click();
    expect(await page.getByRole('button', { name: 'Discard draft Copied' }).count()).toBe(20);
    await page.getByRole('button', { name: 'Discard draft Copied' }).first().click();
    await page.getByText('19 unsaved new notes').waitFor();
    await begin(page, 'One too many, and kept');
    expect(await stored(page)).toContain('Copied');
  });
});
