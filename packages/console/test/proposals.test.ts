import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { openPage } from '../tools/wait-until-idle.ts';
import { must } from '../tools/must.ts';
import { expectNoAxeViolations } from './support/axe.ts';
import { detailOf, proposalsConsole, rowOf, text } from './support/proposals-console.ts';

const { enter, another, write, change, contentOf, stateOf, inbox } = proposalsConsole();

/** Runs in the page: the workers that merge fail. */
const failMerges = (): void => {
  globalThis.Worker = new Proxy(Worker, {
    construct: (Real, [url, options]: [url: string | URL, options?: WorkerOptions]) => {
      const worker = new Real(url, options);
      if (/(?:combine|merge)-worker/.test(String(url))) {
        worker.postMessage = () => void worker.dispatchEvent(new Event('error'));
      }
      return worker;
    },
  });
};

describe('the inbox of proposals', () => {
  it('is decided with the keyboard alone: j and k walk, a accepts, r rejects with a reason', async () => {
    const by = await another('Keys');
    const [first, second, third] = [
      await write('Kept'),
      await write('Refused'),
      await write('Next'),
    ];
    const ofThird = await by.edit(third, ['two', 'two of Keys']);
    const ofSecond = await by.edit(second, ['two', 'two of Keys'], 'it is better');
    const ofFirst = await by.edit(first, ['two', 'two of Keys']);
    const page = await enter();
    await openPage(page, inbox(by));
    // The newest is open.
    const kept = detailOf(page, 'Kept');
    await kept.getByRole('button', { name: 'Accept', exact: true }).waitFor();
    await kept.locator('mark', { hasText: 'of Keys' }).first().waitFor();
    await page.keyboard.press('j');
    await detailOf(page, 'Refused').getByText('it is better').waitFor();
    await page.keyboard.press('k');
    await kept.getByRole('button', { name: 'Accept', exact: true }).waitFor();
    await page.keyboard.press('a');
    await page.getByText('Accepted: Kept, revision 2.').waitFor();
    expect(await contentOf(first)).toContain('two of Keys');
    await detailOf(page, 'Refused').getByRole('button', { name: 'Reject…' }).waitFor();
    // A screen reader says which one is next.
    await rowOf(page, 'Refused').and(page.locator(':focus')).waitFor();
    await page.keyboard.press('r');
    const dialog = page.getByRole('dialog', { name: 'Reject the proposal for Refused' });
    await dialog.getByLabel('Reason').fill('we count in Roman');
    await page.keyboard.press('Control+Enter');
    await page.getByText('Rejected: Refused.').waitFor();
    await detailOf(page, 'Next').waitFor();
    await rowOf(page, 'Next').and(page.locator(':focus')).waitFor();
    await rowOf(page, 'Refused').waitFor({ state: 'detached' });
    expect(await contentOf(second)).toBe(text);
    expect(await stateOf(ofFirst.id)).toMatchObject({ state: 'accepted', revision: 2 });
    expect(await stateOf(ofSecond.id)).toMatchObject({
      state: 'rejected',
      decisionReason: 'we count in Roman',
    });
    expect(await stateOf(ofThird.id)).toMatchObject({ state: 'open' });
  });

  it('takes an acceptance back: the note is as before, or gone if it was new; the proposal stays accepted', async () => {
    const by = await another('Taken back');
    const noteId = await write('As before');
    const edited = await by.edit(noteId, ['two', 'two of another']);
    const created = await by.create('Gone again', 'a\n');
    const page = await enter();
    await openPage(page, inbox(by));
    const undo = page.getByRole('alert').getByRole('button', { name: 'Undo' });
    for (const [title, revision, undone] of [
      ['Gone again', 1, 'Gone again was deleted.'],
      ['As before', 2, 'As before is as it was before.'],
    ]) {
      const accept = detailOf(page, String(title)).getByRole('button', {
        name: 'Accept',
        exact: true,
      });
      await accept.click();
      await page.getByText(`Accepted: ${title}, revision ${revision}.`).waitFor();
      // Under the pointer the message does not close by itself.
      await undo.hover();
      await expectNoAxeViolations(page);
      await undo.click();
      await page.getByText(`${undone} The proposal stays accepted.`).waitFor();
      await undo.waitFor({ state: 'detached' });
    }
    expect(await contentOf(noteId)).toBe(text);
    expect((await by.api('GET', `/api/notes/${created.noteId}`)).status).toBe(404);
    for (const [{ id }, revision] of [
      [created, 1],
      [edited, 2],
    ] as const) {
      expect(await stateOf(id)).toMatchObject({ state: 'accepted', revision });
    }
  });

  it('leaves a note alone that somebody changed since it was accepted', async () => {
    const by = await another('Late');
    const noteId = await write('Changed since');
    await by.edit(noteId, ['two', 'two of Late']);
    const page = await enter();
    await openPage(page, inbox(by));
    await detailOf(page, 'Changed since')
      .getByRole('button', { name: 'Accept', exact: true })
      .click();
    await page.getByText('Accepted: Changed since, revision 2.').waitFor();
    await change(noteId, 'six', 'six of others');
    await page.getByRole('alert').getByRole('button', { name: 'Undo' }).click();
    await page.getByText('Changed since has changed since, so it was left alone.').waitFor();
    expect(await contentOf(noteId)).toContain('two of Late');
  });

  it('accepts nothing by the keys that open a section', async () => {
    const by = await another('Sections');
    const id = await write('Left alone');
    const { id: proposalId } = await by.edit(id, ['two', '2']);
    const page = await enter();
    await openPage(page, inbox(by));
    await detailOf(page, 'Left alone')
      .getByRole('button', { name: 'Accept', exact: true })
      .waitFor();
    await page.keyboard.press('g');
    await page.keyboard.press('a');
    await page.getByRole('heading', { name: 'Agents', level: 1 }).waitFor();
    await page.keyboard.press('g');
    await page.keyboard.press('p');
    await page.getByRole('heading', { name: 'Proposals', level: 1 }).waitFor();
    expect(await stateOf(proposalId)).toMatchObject({ state: 'open' });
  });

  it('has the number of open ones in the navigation, and what is new without a reload', async () => {
    const by = await another('Live');
    await by.create('Before', 'a\n');
    const page = await enter();
    await openPage(page, inbox(by));
    const { open } = (await must(by.api, 'GET /api/notes/proposals')) as { readonly open: number };
    expect(open).toBe(1);
    const item = page
      .getByRole('navigation', { name: 'Main' })
      .getByRole('link', { name: /^Proposals ?\d+ open$/ });
    await item.waitFor();
    const before = Number(/\d+/.exec(await item.innerText())?.[0]);
    await by.create('Meanwhile', 'b\n');
    await rowOf(page, 'Meanwhile').waitFor();
    // A newer proposal does not replace the one that is open.
    await detailOf(page, 'Before').getByRole('button', { name: 'Accept', exact: true }).click();
    await page.getByText('Accepted: Before, revision 1.').waitFor();
    await detailOf(page, 'Meanwhile').waitFor();
    await page
      .getByRole('navigation', { name: 'Main' })
      .getByRole('link', { name: new RegExp(`^Proposals ?${before} open$`) })
      .waitFor();
  });

  it('shows only what a proposal adds where others changed the note, and follows their changes', async () => {
    const by = await another('Merging');
    const id = await write('Of two');
    await by.edit(id, ['two', 'two of Merging']);
    const page = await enter();
    await openPage(page, inbox(by));
    const detail = detailOf(page, 'Of two');
    await detail.locator('mark', { hasText: 'of Merging' }).waitFor();
    await change(id, 'six', 'six of others');
    await detail.getByText('The note has changed since.').waitFor();
    const changes = detail.getByLabel('Changes', { exact: true });
    await changes.getByText('six of others').waitFor();
    expect(await changes.locator('mark').allInnerTexts()).toEqual([' of Merging']);
    await detail.getByRole('button', { name: 'Accept', exact: true }).click();
    await page
      .getByText('No proposals to decide about', { exact: false })
      .or(page.getByText('No matching proposals'))
      .waitFor();
    expect(await contentOf(id)).toBe(
      'one\ntwo of Merging\nthree\nfour\nfive\nsix of others\nseven\n',
    );
  });

  it('edits a text before it is accepted, and merges it with what others write meanwhile', async () => {
    const by = await another('Edited');
    const id = await write('To be edited');
    const { id: proposalId } = await by.edit(id, ['two', 'tow']);
    const page = await enter();
    await openPage(page, inbox(by));
    const detail = detailOf(page, 'To be edited');
    await detail.getByRole('button', { name: 'Accept', exact: true }).waitFor();
    await page.keyboard.press('e');
    const editor = detail.getByRole('textbox', { name: 'Text to accept' });
    // What is typed at once is in the text.
    await editor.and(page.locator(':focus')).waitFor();
    await editor.fill(text.replace('two', 'two, spelled'));
    await change(id, 'six', 'six of others');
    await detail.getByRole('button', { name: 'Accept this text' }).click();
    await page.getByText('Accepted: To be edited, revision 3.').waitFor();
    expect(await contentOf(id)).toBe(
      'one\ntwo, spelled\nthree\nfour\nfive\nsix of others\nseven\n',
    );
    expect(await stateOf(proposalId)).toMatchObject({ state: 'accepted', revision: 3 });
  });

  it('shows exactly the overlap, and keeps the rest of both whichever lines are chosen', async () => {
    const by = await another('Overlap');
    const [taken, kept, both] = [
      await write('Taken'),
      await write('Kept lines'),
      await write('Both'),
    ];
    for (const id of [both, kept, taken]) {
      await must(by.api, `PATCH /api/notes/${id}`, {
        edits: [
          { op: 'replace', find: 'two', with: 'two of Overlap' },
          { op: 'replace', find: 'seven', with: 'seven of Overlap' },
        ],
      });
      await change(id, 'two', 'two of others');
    }
    const page = await enter();
    await openPage(page, inbox(by));
    const overlap = detailOf(page, 'Taken').getByLabel('Overlap 1');
    await overlap.waitFor();
    expect((await overlap.innerText()).replaceAll(/\n+/g, '\n').trim()).toBe(
      '- two of others\n+ two of Overlap',
    );
    const proposedLines = detailOf(page, 'Taken').getByRole('button', {
      name: 'Accept with the proposed lines',
    });
    const withFocus = proposedLines.and(page.locator(':focus'));
    // Beside Reject there is a way to the choices, which a key leads to as well.
    await page.keyboard.press('a');
    await withFocus.waitFor();
    await page.getByRole('heading', { name: 'Proposals', level: 1 }).click();
    await withFocus.waitFor({ state: 'detached' });
    await detailOf(page, 'Taken').getByRole('button', { name: 'Accept…', exact: true }).click();
    await withFocus.waitFor();
    const mark = await proposedLines.evaluate(
      (button) => getComputedStyle(button.parentElement ?? button).outlineStyle,
    );
    expect(mark).toBe('solid');
    await proposedLines.click();
    await page.getByText('Accepted: Taken, revision 3.').waitFor();
    await detailOf(page, 'Kept lines')
      .getByRole('button', { name: 'Accept, but keep the current lines' })
      .click();
    await page.getByText('Accepted: Kept lines, revision 3.').waitFor();
    const last = detailOf(page, 'Both');
    await last.getByRole('button', { name: 'Edit both…' }).click();
    await last.getByRole('textbox', { name: 'Text to accept' }).waitFor();
    await last.getByRole('button', { name: 'Accept this text' }).click();
    await page.getByText('Accepted: Both, revision 3.').waitFor();
    const after = (lines: string) =>
      text.replace('two', lines).replace('seven', 'seven of Overlap');
    expect(await contentOf(taken)).toBe(after('two of Overlap'));
    expect(await contentOf(kept)).toBe(after('two of others'));
    expect(await contentOf(both)).toBe(after('two of others\ntwo of Overlap'));
  });

  it('lets the server merge first where texts could not be compared, and says what replacing takes back', async () => {
    const by = await another('Unknown');
    const [overlapping, fitting] = [await write('Replaced'), await write('Merged by the server')];
    await by.edit(fitting, ['two', 'two of Unknown']);
    await by.edit(overlapping, ['two', 'two of Unknown']);
    await change(overlapping, 'two', 'two of others');
    await change(fitting, 'six', 'six of others');
    const page = await enter();
    await page.addInitScript(failMerges);
    await openPage(page, inbox(by));
    const detail = detailOf(page, 'Replaced');
    const notice = detail.getByText('discards what others have written since', { exact: false });
    await notice.waitFor();
    expect(await detail.getByText('Nothing is lost').count()).toBe(0);
    const merge = { name: 'Accept if the server can merge it' } as const;
    const refusing = page.waitForResponse((response) => response.url().endsWith('/accept'));
    await detail.getByRole('button', merge).click();
    expect((await refusing).status()).toBe(409);
    expect(await contentOf(overlapping)).toBe(text.replace('two', 'two of others'));
    await detail.getByRole('button', { name: 'Replace the note with the proposed text' }).click();
    await page.getByText('Accepted: Replaced, revision 3.').waitFor();
    expect(await contentOf(overlapping)).toBe(text.replace('two', 'two of Unknown'));
    await detailOf(page, 'Merged by the server').getByRole('button', merge).click();
    await page.getByText('Accepted: Merged by the server, revision 3.').waitFor();
    expect(await contentOf(fitting)).toBe(
      text.replace('two', 'two of Unknown').replace('six', 'six of others'),
    );
  });

  it('compares once the script of the worker has arrived, however slowly', async () => {
    const by = await another('Slow');
    const id = await write('Slowly compared');
    await by.edit(id, ['two', 'two of Slow']);
    await change(id, 'two', 'two of others');
    const page = await enter();
    // Longer than the worker may take for the texts.
    await page.route(/\/assets\/(?:merge|combine)-worker-.*\.js$/, async (route) => {
      await sleep(4_000);
      await route.fallback();
    });
    await openPage(page, inbox(by));
    const detail = detailOf(page, 'Slowly compared');
    await detail.getByLabel('Overlap 1').waitFor();
    expect(await detail.getByText('could not be compared').count()).toBe(0);
  });

  it('compares after Try again where the scripts of the workers could not be loaded', async () => {
    const by = await another('Missing');
    const id = await write('Compared later');
    await by.edit(id, ['two', 'two of Missing']);
    await change(id, 'six', 'six of others');
    const page = await enter();
    const scripts = /\/assets\/(?:merge|combine)-worker-.*\.js$/;
    await page.route(scripts, (route) => route.abort());
    await openPage(page, inbox(by));
    const detail = detailOf(page, 'Compared later');
    const notice = detail.getByRole('alert').filter({ hasText: 'could not be loaded' });
    await notice.waitFor();
    expect(await detail.getByText('differ too much').count()).toBe(0);
    await page.unroute(scripts);
    await detail.getByRole('button', { name: 'Try again' }).click();
    await detail.getByText('Those changes are kept', { exact: false }).waitFor();
    await detail.getByRole('button', { name: 'Accept', exact: true }).waitFor();
  });

  it('says that a text replaces the note where it is edited without a comparison', async () => {
    const by = await another('Editing');
    const id = await write('Edited over');
    await by.edit(id, ['two', 'two of Editing']);
    await change(id, 'two', 'two of others');
    const page = await enter();
    await page.addInitScript(failMerges);
    await openPage(page, inbox(by));
    const detail = detailOf(page, 'Edited over');
    await detail.getByRole('button', { name: 'Edit the proposed text…' }).click();
    const warning = detail.getByRole('status').filter({ hasText: 'This text replaces the note' });
    await warning.getByLabel('Replaced by this text').getByText('two of others').waitFor();
    await expectNoAxeViolations(page);
    expect(await detail.getByRole('button', { name: 'Accept this text' }).count()).toBe(0);
    await detail.getByRole('button', { name: 'Replace the note with this text' }).click();
    await page.getByText('Accepted: Edited over, revision 3.').waitFor();
    expect(await contentOf(id)).toBe(text.replace('two', 'two of Editing'));
  });

  it('shows the overlap that only the server knew of', async () => {
    const by = await another('Race');
    const id = await write('Raced');
    const { id: proposalId } = await by.edit(id, ['two', 'two of Race']);
    const page = await enter();
    const address = `**/api/notes/proposals/${proposalId}?*`;
    const seen = JSON.stringify(await stateOf(proposalId));
    await page.route(address, (route) =>
      route.fulfill({ body: seen, contentType: 'application/json' }),
    );
    await openPage(page, inbox(by));
    await change(id, 'two', 'two of others');
    const detail = detailOf(page, 'Raced');
    const accept = detail.getByRole('button', { name: 'Accept', exact: true });
    await accept.waitFor();
    await page.route('**/accept', async (route) => {
      await page.unroute(address);
      await route.continue();
    });
    const refusing = page.waitForResponse((response) => response.url().endsWith('/accept'));
    await accept.click();
    expect((await refusing).status()).toBe(409);
    await detail.getByLabel('Overlap 1').waitFor();
    expect(await contentOf(id)).toContain('two of others');
    expect(await stateOf(proposalId)).toMatchObject({ state: 'open' });
  });
});
