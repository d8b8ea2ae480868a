import { describe, expect, it } from '@jest/globals';
import type { Api } from '@commonplace/e2e';
import { openPage } from '../tools/wait-until-idle.ts';
import { must } from '../tools/must.ts';
import { hold } from './support/hold.ts';
import { sendHeld } from './support/send-held.ts';
import { detailOf, proposalsConsole, rowOf, text } from './support/proposals-console.ts';
import { untilHandled } from './support/until-handled.ts';

const { at, agent, enter, another, write, change, contentOf, stateOf, reject, inbox } =
  proposalsConsole();

/** The proposals with their states, the newest first. */
const statesOf = async (api: Api): Promise<string[]> => {
  const { items } = (await must(api, 'GET /api/notes/proposals')) as {
    readonly items: readonly { readonly title: string; readonly state: string }[];
  };
  return items.map(({ title, state }) => `${title}: ${state}`);
};

describe('the inbox of proposals', () => {
  it('accepts all of a run, and leaves open what overlaps', async () => {
    const by = await another('Runner');
    const run = await by.inRun();
    const ids = [await write('Run 1'), await write('Run 2'), await write('Run 3')];
    for (const id of ids) {
      await run.edit(id, ['two', 'two of Runner']);
    }
    const other = await write('Not of the run');
    await by.edit(other, ['two', 'two of Runner']);
    await change(ids[1] ?? '', 'two', 'two of others');
    const page = await enter();
    await openPage(page, inbox(by, `&run=${run.runId}`));
    await detailOf(page, 'Run 3').getByRole('button', { name: 'Accept all of this run…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Accept 3 proposals of this run?' });
    await dialog.getByRole('button', { name: 'Accept 3' }).click();
    const result = page.getByRole('status').filter({ hasText: '2 accepted, 1 not decided.' });
    await result.getByRole('link', { name: 'Run 2' }).click();
    await detailOf(page, 'Run 2').getByLabel('Overlap 1').waitFor();
    for (const path of [`/runs/${run.runId}`, `/agents/${by.id}`]) {
      await openPage(page, at(path));
      await page.getByRole('link', { name: '3 proposed, 2 accepted, 1 open' }).click();
      await page.waitForURL(new RegExp(`state=all.*run=${run.runId}`));
      await rowOf(page, 'Run 1').waitFor();
      expect(await rowOf(page, 'Not of the run').count()).toBe(0);
    }
    const contents = await Promise.all([...ids, other].map(contentOf));
    expect(contents.map((content) => String(content).includes('two of Runner'))).toEqual([
      true,
      false,
      true,
      false,
    ]);
  });

  it('confirms nothing of a run over the page that is open by the time its proposals are read', async () => {
    const by = await another('Slow runner');
    const run = await by.inRun();
    await run.edit(await write('Of a slow run'), ['two', '2']);
    const page = await enter();
    await openPage(page, inbox(by, `&run=${run.runId}`));
    const accept = detailOf(page, 'Of a slow run').getByRole('button', {
      name: 'Accept all of this run…',
    });
    await accept.waitFor();
    const read = await hold(page, '**/api/**/proposals?*');
    await accept.click();
    await read.sent();
    await page.getByRole('link', { name: 'Members', exact: true }).click();
    await page.getByRole('heading', { name: 'Members', level: 1 }).waitFor();
    const responded = page.waitForResponse((response) => response.url().includes('/proposals?'));
    read.release();
    await (await responded).finished();
    await untilHandled(page);
    expect(await page.getByRole('dialog').count()).toBe(0);
  });

  it('shows open proposals for one note together, and says how many there are', async () => {
    const [one, two] = [await another('First to propose'), await another('Second to propose')];
    const [shared, alone] = [await write('Wanted by two'), await write('Wanted by one')];
    await one.edit(shared, ['two', 'two of one']);
    await one.edit(alone, ['two', 'two of one']);
    const { id: newestId } = await two.edit(shared, ['six', 'six of two']);
    const page = await enter();
    await openPage(page, at('/proposals'));
    const rows = page.getByRole('list', { name: 'Proposals' }).getByRole('listitem');
    const wanted = rows.filter({ hasText: 'Wanted by' });
    await wanted.nth(2).waitFor();
    const texts = await wanted.allInnerTexts();
    expect(texts.map((each) => /Wanted by \w+/.exec(each)?.[0])).toEqual([
      'Wanted by two',
      'Wanted by two',
      'Wanted by one',
    ]);
    expect(texts.map((each) => each.includes('One of 2 for this note'))).toEqual([
      true,
      true,
      false,
    ]);
    // Those keys walk the list as it is shown.
    await page.locator(`[data-proposal="${newestId}"] a`).click();
    await page.keyboard.press('j');
    await page.locator('[data-current] a', { hasText: 'Wanted by two' }).waitFor();
    await page.keyboard.press('j');
    await page.locator('[data-current] a', { hasText: 'Wanted by one' }).waitFor();
    await reject(newestId);
    await wanted.filter({ hasText: 'One of 2' }).first().waitFor({ state: 'detached' });
    expect(await wanted.count()).toBe(2);
  });

  it('says no number of open proposals for a note while more of them may follow', async () => {
    const [one, two] = [await another('Page one'), await another('Page two')];
    const shared = await write('On two pages');
    await one.edit(shared, ['two', 'two of one']);
    await two.edit(shared, ['six', 'six of two']);
    const page = await enter();
    await page.route('**/api/notes/proposals?*state=open*', async (route) => {
      const response = await route.fetch();
      const json = (await response.json()) as object;
      await route.fulfill({ response, json: { ...json, nextCursor: 'more' } });
    });
    await openPage(page, at('/proposals'));
    const rows = page.getByRole('list', { name: 'Proposals' }).getByRole('listitem');
    const ofNote = rows.filter({ hasText: 'On two pages' });
    await ofNote.getByText('One of several for this note').first().waitFor();
    expect(await ofNote.getByText(/^One of \d/).count()).toBe(0);
  });

  it('accepts and rejects what is selected', async () => {
    const by = await another('Selected');
    await by.create('Chosen 1', 'a\n');
    await by.create('Chosen 2', 'a\n');
    await by.create('Not chosen', 'a\n');
    const page = await enter();
    await openPage(page, inbox(by));
    await page.getByRole('checkbox', { name: 'Select Chosen 1' }).check();
    await page.getByRole('checkbox', { name: 'Select Chosen 2' }).check();
    await page.getByRole('button', { name: 'Accept 2' }).click();
    await rowOf(page, 'Chosen 1').waitFor({ state: 'detached' });
    await rowOf(page, 'Chosen 2').waitFor({ state: 'detached' });
    await page.getByRole('checkbox', { name: 'Select all' }).check();
    await page.getByRole('button', { name: 'Reject 1…' }).click();
    await page.getByRole('dialog').getByLabel('Reason').fill('no');
    await page.getByRole('dialog').getByRole('button', { name: 'Reject', exact: true }).click();
    await rowOf(page, 'Not chosen').waitFor({ state: 'detached' });
    expect(await statesOf(by.api)).toEqual([
      'Not chosen: rejected',
      'Chosen 2: accepted',
      'Chosen 1: accepted',
    ]);
  });

  it('begins the reason with one that could not be sent, of the same proposals only', async () => {
    const by = await another('Unsent');
    await by.create('Reason of its own', 'a\n');
    await by.create('Refused', 'a\n');
    const page = await enter();
    await openPage(page, inbox(by));
    const dialog = page.getByRole('dialog');
    const reason = dialog.getByLabel('Reason');
    const reject = (title: string) =>
      detailOf(page, title).getByRole('button', { name: 'Reject…' }).click();
    await page.route('**/api/notes/proposals/decide', (route) => route.abort());
    await reject('Refused');
    await reason.fill('it is a copy');
    await dialog.getByRole('button', { name: 'Reject', exact: true }).click();
    await page.getByText(/^Not all proposals were decided: /).waitFor();
    await rowOf(page, 'Reason of its own').click();
    await reject('Reason of its own');
    expect(await reason.inputValue()).toBe('');
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await rowOf(page, 'Refused').click();
    await reject('Refused');
    expect(await reason.inputValue()).toBe('it is a copy');
  });

  it('changes nothing of the address of another page that is open by then', async () => {
    const by = await another('Left behind');
    await by.create('Next of the list', 'a\n');
    await by.create('Decided late', 'a\n');
    const page = await enter();
    await openPage(page, inbox(by));
    const accept = detailOf(page, 'Decided late').getByRole('button', { name: 'Accept' });
    const release = await sendHeld(page, '**/api/notes/proposals/*/accept', () => accept.click());
    await page
      .getByRole('navigation', { name: 'Main' })
      .getByRole('link', { name: 'Runs' })
      .click();
    await page.getByRole('heading', { name: 'Runs', level: 1 }).waitFor();
    release();
    await page.getByText(/^Accepted: Decided late/).waitFor();
    expect(new URL(page.url()).search).toBe('');
  });

  it('decides by the keys about what is selected, not about what is open beside it', async () => {
    const by = await another('Selected by keys');
    for (const title of ['Oldest', 'Middle', 'Newest']) {
      await by.create(title, 'a\n');
    }
    const page = await enter();
    await openPage(page, inbox(by));
    await detailOf(page, 'Newest').getByRole('button', { name: 'Reject…' }).waitFor();
    for (const key of ['x', 'j', 'x', 'j']) {
      await page.keyboard.press(key);
    }
    await detailOf(page, 'Oldest').getByRole('button', { name: 'Reject…' }).waitFor();
    await page.keyboard.press('r');
    await page.getByRole('dialog', { name: 'Reject 2 proposals' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.keyboard.press('Escape');
    await page.getByRole('checkbox', { name: 'Select all' }).waitFor();
    for (const key of ['k', 'x', 'k', 'x']) {
      await page.keyboard.press(key);
    }
    await detailOf(page, 'Newest').getByRole('button', { name: 'Reject…' }).waitFor();
    await page.keyboard.press('a');
    await page.getByText('2 accepted.').waitFor();
    await rowOf(page, 'Newest').waitFor({ state: 'detached' });
    expect(await statesOf(by.api)).toEqual([
      'Newest: accepted',
      'Middle: accepted',
      'Oldest: open',
    ]);
  });

  it('counts what is accepted one after the other in one message, and takes back the last or all', async () => {
    const by = await another('One by one');
    const notes: string[] = [];
    for (const title of ['Tens', 'Units', 'Dozens', 'Scores']) {
      notes.push(await write(title));
      await by.edit(notes.at(-1) ?? '', ['two', 'two of these']);
    }
    const changed = async () =>
      (await Promise.all(notes.map(contentOf))).map((content) =>
        String(content).includes('of these'),
      );
    const page = await enter();
    await openPage(page, inbox(by));
    await page.getByRole('checkbox', { name: 'Select Scores' }).check();
    await page.getByRole('checkbox', { name: 'Select Dozens' }).check();
    await page.getByRole('button', { name: 'Accept 2' }).click();
    const message = page.getByRole('alert');
    await message.getByText('2 accepted.').waitFor();
    for (const [title, count] of [
      ['Units', 3],
      ['Tens', 4],
    ] as const) {
      await detailOf(page, title).getByRole('button', { name: 'Accept', exact: true }).click();
      await message.getByText(`Accepted: ${title}, revision 2. ${count} in all.`).waitFor();
      await message.nth(1).waitFor({ state: 'detached' });
    }
    expect(await changed()).toEqual([true, true, true, true]);
    await message.getByRole('button', { name: 'Undo last' }).click();
    await message.getByText('Tens is as it was before. The proposal stays accepted.').waitFor();
    expect(await changed()).toEqual([false, true, true, true]);
    await message.getByText('Accepted: Units, revision 2. 3 in all.').waitFor();
    await must(agent, `PATCH /api/notes/${notes[2] ?? ''}`, {
      edits: [{ op: 'replace', find: 'six', with: 'six of others' }],
    });
    await message.getByRole('button', { name: 'Undo all' }).click();
    await message
      .getByText('2 notes are as before. 1 note changed since, and was left alone.')
      .waitFor();
    expect(await changed()).toEqual([false, false, true, false]);
  });

  it('takes back what was accepted of one note by several revisions', async () => {
    const [one, two] = [await another('First of two'), await another('Second of two')];
    const id = await write('Twice over');
    await one.edit(id, ['two', 'two of one']);
    await two.edit(id, ['six', 'six of two']);
    const page = await enter();
    await openPage(page, at('/proposals'));
    const boxes = page.getByRole('checkbox', { name: 'Select Twice over' });
    await boxes.first().check();
    await boxes.last().check();
    await page.getByRole('button', { name: 'Accept 2' }).click();
    await page.getByRole('alert').getByText('2 accepted.').waitFor();
    expect(await contentOf(id)).toContain('six of two');
    await page.getByRole('alert').getByRole('button', { name: 'Undo' }).click();
    await page.getByText('Twice over is as it was before. The proposals stay accepted.').waitFor();
    expect(await contentOf(id)).toBe(text);
  });

  it('shows proposals of every state, and which later one replaced one', async () => {
    const by = await another('States');
    const id = await write('Twice');
    await by.edit(id, ['two', '2']);
    await by.edit(id, ['three', '3']);
    const page = await enter();
    await openPage(page, inbox(by, '&state=superseded'));
    const detail = detailOf(page, 'Twice');
    await detail.getByText('The text of this proposal is no longer stored.').waitFor();
    expect(await detail.getByRole('button', { name: 'Accept', exact: true }).count()).toBe(0);
    await detail.getByRole('link', { name: 'a later proposal of the same agent' }).click();
    await detail.getByRole('button', { name: 'Accept', exact: true }).click();
    await detail.getByText(/^Accepted by .*, as revision 2$/).waitFor();
    // An accepted proposal still shows what it changed.
    await detail.getByLabel('Changes', { exact: true }).getByText('two').waitFor();
  });

  it('says of a note that was deleted that it stays so', async () => {
    const by = await another('Deleted');
    const id = await write('Gone');
    await by.edit(id, ['two', '2']);
    await must(agent, `DELETE /api/notes/${id}`);
    const page = await enter();
    await openPage(page, inbox(by));
    const detail = detailOf(page, 'Gone');
    await detail.getByText('The note has been deleted').waitFor();
    await detail.getByRole('button', { name: 'Reject…' }).waitFor();
    expect(await detail.getByRole('button', { name: 'Accept', exact: true }).count()).toBe(0);
  });

  it('keeps the decision and the list below the header while a long text scrolls', async () => {
    const by = await another('Long');
    await by.create('Long text', 'A paragraph.\n\n'.repeat(200));
    const page = await enter();
    await openPage(page, inbox(by));
    const decision = detailOf(page, 'Long text').getByRole('group', { name: 'Decision' });
    await decision.waitFor();
    await page.evaluate(() => window.scrollTo(0, 1_500));
    await page.waitForFunction(() => window.scrollY >= 1_500);
    const header = await page.getByRole('banner').boundingBox();
    const headerEnd = (header?.y ?? 0) + (header?.height ?? 0);
    for (const part of [decision, rowOf(page, 'Long text')]) {
      const box = await part.boundingBox();
      expect(box?.y).toBeGreaterThanOrEqual(headerEnd);
      expect(box?.y).toBeLessThan(300);
    }
  });

  it('on a phone is a list, then one proposal, and the way back', async () => {
    const by = await another('Phone');
    await by.create('Small 1', 'a\n');
    await by.create('Small 2', 'a\n');
    const page = await enter();
    await page.setViewportSize({ width: 390, height: 780 });
    await openPage(page, inbox(by));
    await rowOf(page, 'Small 1').waitFor();
    expect(await detailOf(page, 'Small 2').isVisible()).toBe(false);
    await rowOf(page, 'Small 1').click();
    await detailOf(page, 'Small 1').waitFor();
    expect(await rowOf(page, 'Small 2').isVisible()).toBe(false);
    await page.getByRole('button', { name: 'All proposals' }).click();
    await rowOf(page, 'Small 2').waitFor();
  });
});

describe('a note with an open proposal', () => {
  it('says who proposes what, and leads to it; the dashboard says that proposals wait', async () => {
    const proposer = await another('Bo');
    const id = await write('With a banner');
    await proposer.edit(id, ['two', 'two of Bo'], 'the count is off');
    const page = await enter();
    await openPage(page, at(''));
    await page
      .getByRole('region', { name: 'Needs attention' })
      .getByRole('link', { name: /^\d+ proposals? waits?$/ })
      .waitFor();
    await openPage(page, at(`/notes/${id}`));
    const banner = page
      .getByRole('status')
      .filter({ hasText: 'A change to this note is proposed' });
    await banner.getByText(/^Bo, .*: the count is off$/).waitFor();
    await banner.getByRole('link', { name: 'View the proposal of Bo' }).click();
    const detail = detailOf(page, 'With a banner');
    await detail.getByRole('button', { name: 'Accept', exact: true }).click();
    await page.getByText('Accepted: With a banner, revision 2.').waitFor();
    await openPage(page, at(`/notes/${id}`));
    await page.getByText('two of Bo').waitFor();
    expect(await banner.count()).toBe(0);
    await openPage(page, at(`/notes/${id}/history`));
    await page.getByText(/^by Bo, a proposal accepted by /).waitFor();
  });
});

describe('stop and undo', () => {
  it('also withdraws the open proposals, and says how many', async () => {
    const by = await another('Stopped');
    const id = await write('Not to be changed');
    const { id: proposalId } = await by.edit(id, ['two', '2']);
    const page = await enter();
    await openPage(page, at(`/agents/${by.id}`));
    await page.getByRole('button', { name: 'Stop and undo what Stopped wrote' }).click();
    const dialog = page.getByRole('dialog', { name: 'Stop and undo what Stopped wrote' });
    await dialog.getByRole('button', { name: 'Stop it and show the notes' }).click();
    await dialog.getByText('1 open proposal will be withdrawn.').waitFor();
    await dialog.getByRole('button', { name: 'Withdraw 1 proposal' }).click();
    await dialog.getByText('1 open proposal was withdrawn.').waitFor();
    expect(await stateOf(proposalId)).toMatchObject({
      state: 'rejected',
      decisionReason: 'What it wrote was taken back, and its proposals with it.',
    });
  });
});
