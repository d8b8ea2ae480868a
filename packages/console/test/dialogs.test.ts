import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { bearer, createApi, makeAgentKey, type Api } from '@commonplace/e2e';
import { openPage } from '../tools/wait-until-idle.ts';
import { must } from '../tools/must.ts';
import type { Visitor } from './support/browser.ts';
import { sendHeld } from './support/send-held.ts';
import { startConsole, type ConsoleUnderTest } from './support/start-console.ts';
import { untilCompany } from './support/until-company.ts';
import { untilFiles, watchFolder } from './support/watched-folder.ts';
import { startWriter } from './support/writers.ts';

let subject: ConsoleUnderTest;
let visitor: Visitor;
let board: Api;
beforeAll(async () => {
  subject = await startConsole();
  board = subject.system.as(await subject.system.boardHeaders());
}, 120_000);
afterEach(() => visitor.close());
afterAll(() => subject.stop());

const company = (): string => `/companies/${subject.world.acme.companyId}`;

const makeAgent = async (fields: object): Promise<string> =>
  String((await must(board, `POST /api${company()}/agents`, { role: 'tester', ...fields }))['id']);

const read = (path: string) => must(board, `GET /api${path}`);

describe('a confirmation', () => {
  it('for one agent closes after Back to another, and changes neither', async () => {
    const boss = await makeAgent({ name: 'Boss' });
    const worker = await makeAgent({ name: 'Worker', reportsTo: boss });
    visitor = await subject.enter();
    const { page } = visitor;
    await openPage(page, `${company()}/agents/${worker}`);
    await page.getByRole('link', { name: /^Boss/ }).click();
    await page.getByRole('heading', { name: 'Boss', exact: true }).waitFor();
    await page.getByRole('button', { name: 'Terminate…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Terminate Boss?' });
    await dialog.waitFor();
    await page.goBack();
    await page.getByRole('heading', { name: 'Worker', exact: true }).waitFor();
    await dialog.waitFor({ state: 'detached' });
    const statuses = [await read(`/agents/${boss}`), await read(`/agents/${worker}`)];
    expect(statuses.map(({ status }) => status)).toEqual(['active', 'active']);
  });

  it.each([
    ['settings', /^Archive company/],
    ['members', 'Leave'],
  ])('in the %s of one company is gone after Back to another', async (section, button) => {
    const { acme, zenith } = subject.world;
    visitor = await subject.enter();
    const { page } = visitor;
    await openPage(page, `${company()}/${section}`);
    await page.getByRole('combobox', { name: 'Company', exact: true }).click();
    await page.getByRole('option', { name: 'Zenith Works' }).click();
    await page.waitForURL(`**/companies/${zenith.companyId}/${section}`);
    await untilCompany(page, 'Zenith Works');
    await page.getByRole('button', { name: button }).click();
    const dialog = page.getByRole('dialog');
    await dialog.waitFor();
    await page.goBack();
    await page.waitForURL(`**/companies/${acme.companyId}/${section}`);
    await dialog.waitFor({ state: 'detached' });
    const statuses = [await read(company()), await read(`/companies/${zenith.companyId}`)];
    expect(statuses.map(({ status }) => status)).toEqual(['active', 'active']);
  });

  it('stays open when a filter replaces the address', async () => {
    visitor = await subject.enter();
    const { page } = visitor;
    await openPage(page, `${company()}/agents`);
    await page.getByRole('textbox', { name: 'Search' }).fill('Ada');
    await page.getByRole('button', { name: 'New agent' }).click();
    const form = page.getByRole('dialog');
    await form.getByLabel('Name').fill('Grace');
    await page.waitForURL(/q=Ada/);
    await page.getByRole('main').getByRole('link', { name: 'Boss' }).waitFor({ state: 'detached' });
    expect(await form.getByLabel('Name').inputValue()).toBe('Grace');
  });
});

describe('the form of an agent', () => {
  it('sends only changed fields and keeps concurrent changes of others', async () => {
    const agent = await makeAgent({ name: 'Dee', budget: { monthlyCents: 90_000 } });
    visitor = await subject.enter();
    const { page } = visitor;
    await openPage(page, `${company()}/agents/${agent}`);
    await page.getByRole('button', { name: 'Edit' }).click();
    const form = page.getByRole('dialog');
    await form.getByLabel('Title').fill('Head of tests');
    await must(board, `PATCH /api/agents/${agent}`, {
      role: 'auditor',
      budget: { monthlyCents: 500 },
    });
    await form.getByRole('button', { name: 'Save' }).click();
    await form.waitFor({ state: 'detached' });
    expect(await read(`/agents/${agent}`)).toMatchObject({
      name: 'Dee',
      title: 'Head of tests',
      role: 'auditor',
      budget: { monthlyCents: 500 },
    });
  });

  it('that Back closed while it is saved leads nowhere, and says what was made', async () => {
    visitor = await subject.enter();
    const { page } = visitor;
    await openPage(page, company());
    await page.getByRole('link', { name: 'Agents', exact: true }).click();
    await page.getByRole('button', { name: 'New agent' }).click();
    const dialog = page.getByRole('dialog', { name: 'New agent' });
    await dialog.getByLabel('Name').fill('Made behind Back');
    const role = dialog.getByLabel('Role');
    await role.fill('clerk');
    const release = await sendHeld(page, `**/api${company()}/agents`, () => role.press('Enter'));
    await dialog.getByRole('button', { name: 'Close' }).waitFor({ state: 'detached' });
    await page.keyboard.press('Escape');
    await page.goBack();
    await dialog.waitFor({ state: 'detached' });
    release();
    await page.getByText('The agent Made behind Back was created.').waitFor();
    expect(new URL(page.url()).pathname).toBe(company());
  });

  it('stays while it is saved, and says what failed', async () => {
    const agent = await makeAgent({ name: 'Gil' });
    visitor = await subject.enter();
    const { page } = visitor;
    const save = async (title: string): Promise<void> => {
      await page.getByRole('button', { name: 'Edit' }).click();
      const form = page.getByRole('dialog');
      await form.getByLabel('Title').fill(title);
      await form.getByRole('button', { name: 'Save' }).click();
    };
    let release = (): void => undefined;
    const closed = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page.route(`**/api/agents/${agent}`, async (route) => {
      const { title } = (route.request().postDataJSON() ?? {}) as { readonly title?: string };
      if (title === undefined) {
        return route.continue();
      }
      await (title === 'closed' ? closed : undefined);
      const json = { type: 'about:blank', title: 'No', code: 'role_insufficient', status: 403 };
      return route.fulfill({ status: 403, json: { ...json, detail: `Not ${title}.` } });
    });
    await openPage(page, `${company()}/agents/${agent}`);
    await save('open');
    await page.getByRole('dialog').getByRole('alert').getByText('Not open.').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await save('closed');
    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).waitFor({
      state: 'detached',
    });
    await page.keyboard.press('Escape');
    release();
    await page.getByRole('dialog').getByRole('alert').getByText('Not closed.').waitFor();
    expect(await page.getByText('An action failed').count()).toBe(0);
  });

  it('and that of the company send the limit that was edited, and keep one that others set', async () => {
    const agent = await makeAgent({ name: 'Fay', budget: { monthlyCents: 700 } });
    const budget = { monthlyCents: 12_000, monthlyTokens: 1_000_000 };
    visitor = await subject.enter();
    const { page } = visitor;
    await openPage(page, `${company()}/agents/${agent}`);
    await page.getByRole('button', { name: 'Edit' }).click();
    const form = page.getByRole('dialog');
    await form.getByLabel('Monthly budget').fill('120');
    await must(board, `PATCH /api/agents/${agent}`, { budget: { monthlyTokens: 1_000_000 } });
    await form.getByRole('button', { name: 'Save' }).click();
    await form.waitFor({ state: 'detached' });
    expect(await read(`/agents/${agent}`)).toMatchObject({ budget });

    await openPage(page, `${company()}/settings`);
    await page.getByLabel('Monthly budget of the company').fill('120');
    await must(board, `PATCH /api${company()}`, { budget: { monthlyTokens: 1_000_000 } });
    await page.getByRole('button', { name: 'Save budget' }).click();
    await page.getByText('Budget changed.').waitFor();
    expect(await read(company())).toMatchObject({ budget });
    await must(board, `PATCH /api${company()}`, {
      budget: { monthlyCents: null, monthlyTokens: null },
    });
  });

  it('does not accept a lone minus as "no limit"', async () => {
    const agent = await makeAgent({ name: 'Eve', budget: { monthlyCents: 700 } });
    visitor = await subject.enter();
    const { page } = visitor;
    await openPage(page, `${company()}/agents/${agent}`);
    await page.getByRole('button', { name: 'Edit' }).click();
    const form = page.getByRole('dialog');
    const budget = form.getByLabel('Monthly budget');
    await budget.fill('-');
    await form.getByRole('button', { name: 'Save' }).click();
    await form.getByText('Enter an amount').waitFor();
    expect(await read(`/agents/${agent}`)).toMatchObject({ budget: { monthlyCents: 700 } });
    await budget.fill('');
    await form.getByRole('button', { name: 'Save' }).click();
    await form.waitFor({ state: 'detached' });
    expect(await read(`/agents/${agent}`)).toMatchObject({ budget: { monthlyCents: null } });
  });
});

describe('stop and undo', () => {
  it('shows what will change, undoes what is selected, pauses the agent, and takes it back', async () => {
    const agentId = await makeAgent({ name: 'Nonsense' });
    const key = await must(board, `POST /api/agents/${agentId}/keys`, { name: 'wrong' });
    const agent = createApi({
      baseUrl: subject.system.baseUrl,
      headers: bearer(String(key['key'])),
    });
    const write = async (title: string, content: string) =>
      String((await must(agent, 'POST /api/notes', { title, content }))['id']);
    const [one, two] = [await write('Nonsense one', 'n\n'), await write('Nonsense two', 'n\n')];
    await must(board, `PATCH /api/notes/${two}`, {
      edits: [{ op: 'append', text: 'a line of a person\n' }],
    });
    const three = await write('Nonsense three', 'n\n');
    visitor = await subject.enter();
    const { page } = visitor;
    await openPage(page, `${company()}/agents/${agentId}`);
    await page.getByRole('button', { name: 'Stop and undo what Nonsense wrote' }).click();
    const dialog = page.getByRole('dialog', { name: 'Stop and undo what Nonsense wrote' });
    await dialog.getByRole('button', { name: 'Show the notes' }).click();
    await dialog.getByText('2 notes will change, 1 will not.').waitFor();
    await dialog.getByText('will be kept', { exact: true }).waitFor();
    await dialog.getByRole('checkbox', { name: 'Undo in Nonsense three' }).uncheck();
    await dialog.getByRole('button', { name: 'Undo 1 note', exact: true }).click();
    await dialog.getByText('1 note was changed, 1 is as it was.').waitFor();
    const titles = async () => {
      const { items } = (await must(agent, 'GET /api/notes?q=Nonsense')) as {
        items: { id: string }[];
      };
      return items.map(({ id }) => id).toSorted();
    };
    expect(await titles()).toEqual([two, three].toSorted());
    expect((await read(`/agents/${agentId}`))['status']).toBe('paused');
    await dialog.getByRole('button', { name: 'Take this undo back' }).click();
    await dialog.getByText(/^The undo was taken back/).waitFor();
    expect(await titles()).toEqual([one, two, three].toSorted());
  }, 60_000);

  it('of a run is said on its page, on that of the agent and in the activity, and can be taken back there', async () => {
    const agentId = await makeAgent({ name: 'Regretted' });
    const started = await must(board, `POST /api/agents/${agentId}/runs`, {});
    const { id: runId } = started['run'] as { id: string };
    const id8 = runId.slice(-8);
    const api = createApi({
      baseUrl: subject.system.baseUrl,
      headers: bearer(String(started['token'])),
    });
    await must(api, 'POST /api/notes', { title: 'Regretted note', content: 'n\n' });
    visitor = await subject.enter();
    const { page } = visitor;
    await openPage(page, `${company()}/runs/${runId}`);
    await page.getByRole('button', { name: 'Stop and undo what this run wrote' }).click();
    const dialog = page.getByRole('dialog', { name: 'Stop and undo what this run wrote' });
    await dialog.getByRole('button', { name: 'Show the notes' }).click();
    await dialog.getByRole('button', { name: 'Undo 1 note', exact: true }).click();
    await dialog.getByText('1 note was changed.').waitFor();
    await dialog.getByRole('button', { name: 'Close' }).last().click();
    await page.getByText(/^Undone in 1 note by board /).waitFor();
    await openPage(page, `${company()}/activity?action=notes.undone`);
    const entry = page.getByRole('row', { name: /^Changes of notes undone.*Regretted/ });
    await entry.getByRole('link', { name: `Run ${id8}` }).waitFor();
    expect(await entry.innerText()).not.toContain('undo id');
    await entry
      .getByRole('button', { name: `Take back the undo of what run ${id8} wrote` })
      .click();
    const ofEntry = page.getByRole('dialog', { name: `The undo of what run ${id8} wrote` });
    await ofEntry.getByText('1 note was changed.').waitFor();
    await ofEntry.getByRole('button', { name: 'Close' }).last().click();
    await openPage(page, `${company()}/agents/${agentId}`);
    await page.getByRole('button', { name: `Take back the undo of what run ${id8} wrote` }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Take this undo back' }).click();
    await page.getByText(/^The undo was taken back/).waitFor();
    await page.keyboard.press('Escape');
    await page.getByText(/^Undone in 1 note by board .*, taken back by board /).waitFor();
    await page.getByRole('button', { name: `Show the undo of what run ${id8} wrote` }).click();
    await page
      .getByRole('dialog')
      .getByText(/That was taken back\./)
      .waitFor();
    expect(await page.getByRole('button', { name: 'Take this undo back' }).count()).toBe(0);
    await openPage(page, `${company()}/activity?action=notes.undone`);
    await entry.getByText(/^taken back by board /).waitFor();
    await entry.getByRole('button', { name: `Show the undo of what run ${id8} wrote` }).waitFor();
    await page
      .getByRole('row', { name: /takes back an undo/ })
      .first()
      .waitFor();
    // The same beyond the newest undos, which are read first.
    await page.route(
      ({ pathname, searchParams }) =>
        pathname.endsWith('/activity') &&
        searchParams.get('limit') === '200' &&
        !searchParams.has('entityId'),
      async (route) => {
        const response = await route.fetch();
        const { items } = (await response.json()) as { items: readonly object[] };
        const newer = { ...items[0], at: new Date().toISOString(), detail: { undoId: runId } };
        const json = { items: Array.from({ length: 200 }, () => newer), nextCursor: null };
        await route.fulfill({ response, json });
      },
    );
    await page.reload();
    await entry.getByText(/^taken back by board /).waitFor();
    await entry.getByRole('button', { name: `Show the undo of what run ${id8} wrote` }).click();
    await ofEntry.getByText(/That was taken back\./).waitFor();
    expect(await page.getByRole('button', { name: 'Take this undo back' }).count()).toBe(0);
    await page.unrouteAll({ behavior: 'wait' });
  }, 60_000);

  it('of a run that wrote nonsense into 200 notes, beside two others and a folder, loses nothing of theirs', async () => {
    const { baseUrl } = subject.system;
    const { id: companyId } = (await must(board, 'POST /api/companies', { name: 'Flooded' })) as {
      id: string;
    };
    const owner = subject.system.as({
      ...(await subject.system.boardHeaders()),
      'x-company-id': companyId,
    });
    const names = ['Nonsense', 'Ada', 'Ben', 'Folder'];
    const [nonsense, ada, ben, syncing] = await Promise.all(
      names.map((name) => makeAgentKey(owner, companyId, name)),
    );
    if (!nonsense || !ada || !ben || !syncing) {
      throw new Error('There are four agents');
    }
    const byKey = (key: string) => createApi({ baseUrl, headers: bearer(key) });
    const started = await must(byKey(nonsense.key), `POST /api/agents/${nonsense.agentId}/runs`, {
      ttlSeconds: 3_600,
    });
    const runId = (started['run'] as { id: string }).id;
    const ids = Array.from({ length: 200 }, () => randomUUID());
    const changes = ids.map((id, index) => ({
      mutationId: `first-${index}`,
      id,
      op: 'put',
      baseRevision: null,
      note: { title: `Note ${index}`, folder: 'work', content: textOf(index) },
    }));
    await must(byKey(ada.key), 'POST /api/sync', { clientId: 'first', pull: 'none', changes });
    const folder = await watchFolder({ baseUrl, key: syncing.key });
    try {
      await untilFiles(folder, ids.length);
      const append = (line: string) => ({ op: 'append', text: `${line}\n` });
      const prepend = (line: string) => ({ op: 'prepend', text: `${line}\n` });
      const flood = startWriter(byKey(String(started['token'])), {
        name: 'nonsense',
        ids,
        edit: (line, round) =>
          round === 0 ? { op: 'replace', find: 'Second line', with: line } : append(line),
      });
      const others = [
        startWriter(byKey(ada.key), { name: 'Ada', ids, edit: append }),
        startWriter(byKey(ben.key), { name: 'Ben', ids: ids.toReversed(), edit: prepend }),
      ];
      const typed = new Map<string, readonly string[]>();
      const type = async (from: number) => {
        for (let index = from; index < ids.length; index += 20) {
          typed.set(ids[index] ?? '', [`typed line ${index}`]);
          await folder.append(`work/Note ${index}.md`, `typed line ${index}`);
        }
      };
      while (flood.lines.size < ids.length) {
        await sleep(20);
      }
      await type(0);
      visitor = await subject.enter();
      const { page } = visitor;
      await openPage(page, `/companies/${companyId}/runs/${runId}`);
      const beganMs = performance.now();
      await page.getByRole('button', { name: 'Stop and undo what this run wrote' }).click();
      const dialog = page.getByRole('dialog', { name: 'Stop and undo what this run wrote' });
      await dialog.getByRole('button', { name: 'Show the notes' }).click();
      await dialog.getByText('200 notes will change.').waitFor();
      await type(10);
      await dialog.getByRole('button', { name: 'Undo 200 notes', exact: true }).click();
      await dialog.getByText(/^200 notes were changed\./).waitFor();
      const undoneMs = performance.now() - beganMs;
      await type(5);
      others.forEach(({ stop }) => stop());
      expect(await Promise.all(others.map(({ ended }) => ended))).toEqual([null, null]);
      expect([401, 409]).toContain(await flood.ended);
      await folder.settle();

      const notes: SyncedNote[] = [];
      for (let cursor: string | null = null, more = true; more;) {
        const page = (await must(byKey(ada.key), 'POST /api/sync', {
          cursor,
          limit: 500,
        })) as unknown as SyncedPage;
        notes.push(...page.changes.filter(({ deletedAt }) => deletedAt === null));
        ({ cursor, hasMore: more } = page);
      }
      // What a client sent on the base of a version that was undone is in a conflict copy.
      const missing = [...others.map(({ lines }) => lines), typed].flatMap((lines) =>
        [...lines].flatMap(([id, own]) => {
          const found = notes.filter((note) => note.id === id || note.conflictOf === id);
          const there = linesOf(found.map(({ content }) => content));
          return own.filter((line) => !there.has(line));
        }),
      );
      expect(missing).toEqual([]);
      const contentOf = new Map(notes.map(({ id, content }) => [id, content]));
      const unlikeBefore = ids.filter((id, index) => {
        const there = linesOf([contentOf.get(id) ?? '']);
        return [...linesOf([textOf(index)])].some((line) => !there.has(line));
      });
      expect(unlikeBefore).toEqual([]);
      const stained = notes.filter(({ content }) => content.includes('nonsense wrote'));
      expect(stained.filter(({ conflictOf }) => conflictOf === null)).toEqual([]);
      const files = await folder.files();
      expect(files.size).toBe(notes.length);
      const present = linesOf(notes.map(({ content }) => content));
      expect(linesOf([...files.values()])).toEqual(present);
      const floodLines = [...flood.lines.values()].flat().length;
      console.log(
        `${floodLines} lines of nonsense in 200 notes beside two agents and a folder; ` +
          `stopped and taken back in ${(undoneMs / 1_000).toFixed(1)} s; ${stained.length} conflict copies`,
      );
    } finally {
      await folder.remove();
    }
  }, 120_000);
});

const textOf = (index: number): string =>
  `First line of note ${index}\nSecond line\nThird line of note ${index}\n`;

type SyncedNote = {
  readonly id: string;
  readonly content: string;
  readonly conflictOf: string | null;
  readonly deletedAt: string | null;
};
type SyncedPage = {
  readonly changes: readonly SyncedNote[];
  readonly cursor: string;
  readonly hasMore: boolean;
};

/** The lines of one writer, whatever else is in the texts. */
const linesOf = (texts: readonly string[]): Set<string> =>
  new Set(
    texts
      .flatMap((text) => text.split('\n'))
      .filter((line) => /^(?:First|Second|Third|typed) line|wrote line/.test(line)),
  );
