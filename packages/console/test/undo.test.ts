import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { bearer, createApi, type Api } from '@commonplace/e2e';
import type { Page } from 'playwright-core';
import { openPage } from '../tools/wait-until-idle.ts';
import { must } from '../tools/must.ts';
import { expectNoAxeViolations } from './support/axe.ts';
import type { Visitor } from './support/browser.ts';
import { startConsole, type ConsoleUnderTest } from './support/start-console.ts';

let subject: ConsoleUnderTest;
let visitor: Visitor;
let board: Api;
beforeAll(async () => {
  subject = await startConsole();
  board = subject.system.as({
    ...(await subject.system.boardHeaders()),
    'x-company-id': subject.world.acme.companyId,
  });
}, 120_000);
afterEach(() => visitor.close());
afterAll(() => subject.stop());

const company = (): string => `/companies/${subject.world.acme.companyId}`;

/** An agent, and its requests with a key. */
const hire = async (name: string) => {
  const made = await must(board, `POST /api${company()}/agents`, { role: 'tester', name });
  const agentId = String(made['id']);
  const { key } = await must(board, `POST /api/agents/${agentId}/keys`, { name: 'only' });
  const { baseUrl } = subject.system;
  return { agentId, agent: createApi({ baseUrl, headers: bearer(String(key)) }) };
};

const write = async (api: Api, title: string, content: string): Promise<string> =>
  String((await must(api, 'POST /api/notes', { title, content }))['id']);
const append = (api: Api, id: string, text: string) =>
  must(api, `PATCH /api/notes/${id}`, { edits: [{ op: 'append', text }] });

describe('the preview of an undo', () => {
  it('counts the notes by outcome beyond its first page, shows those of one, and names the versions they go back to', async () => {
    const { agentId, agent } = await hire('Careless');
    for (let count = 1; count <= 55; count += 1) {
      await write(agent, `Careless ${count}`, 'n\n');
    }
    const kept = await write(agent, 'Built upon', 'a start\n');
    await append(board, kept, 'more\n');
    const undone = await write(board, 'Spoiled', 'one\n');
    await append(board, undone, 'two\n');
    await append(agent, undone, 'nonsense\n');
    await append(board, undone, 'three\n');
    visitor = await subject.enter();
    const { page } = visitor;
    await openPage(page, `${company()}/agents/${agentId}`);
    await page.getByRole('button', { name: 'Stop and undo what Careless wrote' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Stop it and show the notes' }).click();
    const filter = dialog.getByRole('group', { name: 'Notes by outcome' });
    await filter.getByRole('button', { name: 'All 57', pressed: true }).waitFor();
    expect(await filter.getByRole('button').allInnerTexts()).toEqual([
      'All 57',
      '1 will be undone',
      '55 will be removed',
      '1 will be kept',
    ]);
    const spoiled = dialog.getByRole('checkbox', { name: 'Undo in Spoiled' });
    await dialog.getByRole('checkbox', { name: 'Undo in Careless 1', exact: true }).waitFor();
    expect(await spoiled.count()).toBe(0);

    await filter.getByRole('button', { name: '1 will be undone' }).click();
    await dialog
      .getByText(/^Back to revision 2 by board .*; 1 later version of others stays\.$/)
      .waitFor();
    expect(await dialog.getByRole('checkbox', { name: /^Undo in/ }).count()).toBe(1);
    await expectNoAxeViolations(page);
    const all = dialog.getByRole('checkbox', { name: 'All 56 notes that would change' });
    await all.uncheck();
    expect(await dialog.getByRole('button', { name: 'Undo 0 notes' }).isDisabled()).toBe(true);
    await spoiled.check();
    await dialog.getByRole('button', { name: 'Undo 1 note', exact: true }).waitFor();
    expect(await all.evaluate((box: HTMLInputElement) => box.indeterminate)).toBe(true);
    await all.click();
    await dialog.getByRole('button', { name: 'Undo 56 notes', exact: true }).waitFor();
    await spoiled.uncheck();
    await filter.getByRole('button', { name: '1 will be kept' }).click();
    await dialog.getByRole('link', { name: 'Built upon' }).waitFor();
    expect(await dialog.getByText(/revision/).count()).toBe(0);
    await dialog.getByRole('button', { name: 'Undo 55 notes', exact: true }).click();
    await dialog.getByText('55 notes were changed, 1 is as it was.').waitFor();
    await filter.getByRole('button', { name: '55 removed' }).click();
    await dialog.getByRole('link', { name: 'Careless 1', exact: true }).waitFor();
    expect(await dialog.getByRole('link', { name: 'Built upon' }).count()).toBe(0);
    // What was left out is not said to be undone.
    await page.keyboard.press('Escape');
    await page.getByText(/^Undone in 55 notes by board /).waitFor();
    expect((await must(board, `GET /api/notes/${undone}`))['content']).toContain('nonsense');
  }, 60_000);

  it('shows a change of title as one of text, and afterwards the title that is back; of a paused agent it speaks of no pause', async () => {
    const { agentId, agent } = await hire('Renaming');
    const id = await write(board, 'Right name', 'n\n');
    await must(agent, `PUT /api/notes/${id}`, { title: 'Wrong name', content: 'n\n' });
    await must(board, `POST /api/agents/${agentId}/pause`);
    visitor = await subject.enter();
    const { page } = visitor;
    await openPage(page, `${company()}/agents/${agentId}`);
    await page.getByRole('button', { name: 'Undo what Renaming wrote', exact: true }).click();
    const dialog = page.getByRole('dialog', { name: 'Undo what Renaming wrote', exact: true });
    await dialog.getByText('The agent is paused: it writes nothing until it is resumed.').waitFor();
    expect(await dialog.getByRole('checkbox').count()).toBe(0);
    await dialog.getByRole('button', { name: 'Show the notes', exact: true }).click();
    await dialog.getByText('will be undone', { exact: true }).waitFor();
    const difference = dialog.getByLabel('Difference of Wrong name');
    expect(await difference.innerText()).toContain('-Wrong name\n+Right name');
    expect(await difference.innerText()).not.toContain('@@');
    const colours = await difference
      .getByText(/^[-+]\w+ name$/)
      .evaluateAll((lines) => lines.map((line) => getComputedStyle(line).backgroundColor));
    expect(new Set([...colours, 'rgba(0, 0, 0, 0)']).size).toBe(3);
    await dialog.getByRole('button', { name: 'Undo 1 note', exact: true }).click();
    await dialog.getByText('undone', { exact: true }).waitFor();
    await dialog.getByRole('link', { name: 'Right name' }).waitFor();
  }, 60_000);
});

/** Makes dry runs of the page have so many notes, of which the first is one that there is. */
const inflate = async (page: Page, outcomes: Readonly<Record<string, number>>): Promise<void> => {
  await page.route('**/api/notes/undo/*', async (route) => {
    const url = new URL(route.request().url());
    const limit = Number(url.searchParams.get('limit'));
    const from = Number(url.searchParams.get('cursor') ?? 0);
    const wanted = url.searchParams.get('outcome');
    const real = new URL(url.pathname, url);
    const response = await route.fetch({ url: real.href });
    const undo = (await response.json()) as { outcomes: object; notes: { outcome: string }[] };
    const all = Object.entries(outcomes).flatMap(([outcome, count]) =>
      wanted === null || wanted === outcome
        ? Array.from({ length: count }, (_, index) => ({ outcome, index }))
        : [],
    );
    const notes = all.slice(from, from + limit).map(({ outcome, index }) => ({
      ...undo.notes[0],
      title: `${outcome} ${index}`,
      noteId: `${outcome} ${index}`,
      outcome,
    }));
    const nextCursor = from + limit < all.length ? `${from + limit}` : null;
    const json = { ...undo, outcomes: { ...undo.outcomes, ...outcomes }, notes, nextCursor };
    await route.fulfill({ response, json });
  });
};

describe('an undo of more notes than one request can list', () => {
  it('names all that would change but those left out, or says that these are too many', async () => {
    const { agentId, agent } = await hire('Prolific');
    await write(agent, 'One of many', 'n\n');
    visitor = await subject.enter();
    const { page } = visitor;
    await openPage(page, `${company()}/agents/${agentId}`);
    await inflate(page, { unchanged: 300, kept: 0, removed: 10_002 });
    const listed: string[][] = [];
    await page.route('**/api/notes/undo', (route) => {
      const { noteIds } = route.request().postDataJSON() as { readonly noteIds?: string[] };
      if (noteIds === undefined) {
        return route.continue();
      }
      listed.push(noteIds);
      return route.abort();
    });
    await page.getByRole('button', { name: 'Stop and undo what Prolific wrote' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Stop it and show the notes' }).click();
    await dialog.getByRole('button', { name: 'Undo 10002 notes', exact: true }).waitFor();
    await dialog.getByRole('button', { name: '10002 will be removed' }).click();
    await dialog.getByRole('checkbox', { name: 'Undo in removed 1', exact: true }).uncheck();
    await dialog.getByText('at most 10,000 notes are undone at once').waitFor();
    const tooMany = dialog.getByRole('button', { name: 'Undo 10001 notes', exact: true });
    expect(await tooMany.isDisabled()).toBe(true);
    await expectNoAxeViolations(page);
    await dialog.getByRole('checkbox', { name: 'Undo in removed 3', exact: true }).uncheck();
    await dialog.getByRole('button', { name: 'Undo 10000 notes', exact: true }).click();
    await dialog.getByText('Commonplace is unreachable').waitFor();
    const numbers = Array.from({ length: 10_002 }, (_, index) => index);
    expect(listed).toEqual([
      numbers.filter((index) => index !== 1 && index !== 3).map((index) => `removed ${index}`),
    ]);
  }, 60_000);
});

describe('the dialog of the undo of a run', () => {
  it('is there again after a reload, with the undo that was begun, and not once it was closed', async () => {
    const { agentId } = await hire('Reloaded');
    const started = await must(board, `POST /api/agents/${agentId}/runs`, {});
    const { id: runId } = started['run'] as { readonly id: string };
    const { baseUrl } = subject.system;
    const headers = bearer(String(started['token']));
    await write(createApi({ baseUrl, headers }), 'Of a run', 'n\n');
    visitor = await subject.enter();
    const { page } = visitor;
    await openPage(page, `${company()}/runs`);
    await page
      .getByRole('link', { name: `Run ${runId.slice(-8)}` })
      .first()
      .click();
    await page.getByRole('button', { name: 'Stop and undo what this run wrote' }).click();
    await page.waitForURL(/\?undo=new$/);
    await page.reload();
    const dialog = page.getByRole('dialog', { name: /ndo what this run wrote$/ });
    await dialog.getByRole('button', { name: 'Stop it and show the notes' }).click();
    await dialog.getByRole('button', { name: 'Undo 1 note', exact: true }).click();
    await dialog.getByText('1 note was changed.').waitFor();
    expect(new URL(page.url()).searchParams.get('undo')).toMatch(/^[0-9a-f-]{36}$/);
    await page.reload();
    await dialog.getByText('1 note was changed.').waitFor();
    await dialog.getByRole('link', { name: 'Of a run' }).waitFor();
    await expectNoAxeViolations(page);
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await page.waitForURL((url) => url.search === '');

    await page.getByRole('button', { name: 'Undo what this run wrote', exact: true }).click();
    await page.waitForURL(/\?undo=new$/);
    await page.goBack();
    await page.getByRole('heading', { name: 'Runs', exact: true }).waitFor();
    expect(new URL(page.url()).pathname).toBe(`${company()}/runs`);
    expect(await dialog.count()).toBe(0);
  }, 60_000);

  it('says who undid the same meanwhile, where that left it nothing to do', async () => {
    const { agentId } = await hire('Undone twice');
    const started = await must(board, `POST /api/agents/${agentId}/runs`, {});
    const { id: runId } = started['run'] as { readonly id: string };
    const { baseUrl } = subject.system;
    const headers = bearer(String(started['token']));
    await write(createApi({ baseUrl, headers }), 'Undone once', 'n\n');
    visitor = await subject.enter();
    const { page } = visitor;
    await openPage(page, `${company()}/runs/${runId}`);
    await page.getByRole('button', { name: 'Stop and undo what this run wrote' }).click();
    const dialog = page.getByRole('dialog', { name: /ndo what this run wrote$/ });
    await dialog.getByRole('button', { name: 'Stop it and show the notes' }).click();
    const undo = dialog.getByRole('button', { name: 'Undo 1 note', exact: true });
    await undo.waitFor();
    const { id } = await must(board, 'POST /api/notes/undo', { runId });
    let finishedAt: unknown = null;
    while (finishedAt === null) {
      ({ finishedAt } = await must(board, `GET /api/notes/undo/${String(id)}`));
    }
    await undo.click();
    await dialog.getByText('0 notes were changed').waitFor();
    await dialog.getByText(/ undid the same /).waitFor();
    expect(await dialog.getByText('unchanged').count()).toBeGreaterThan(0);
  }, 60_000);
});
