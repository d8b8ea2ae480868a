import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { bearer, createApi, type Api } from '@commonplace/e2e';
import type { Page } from 'playwright-core';
import { must } from '../tools/must.ts';
import { openPage } from '../tools/wait-until-idle.ts';
import { acmeConsole } from './support/acme-console.ts';
import { expectNoAxeViolations } from './support/axe.ts';
import { expectLargeTargets } from './support/targets.ts';

const { at, agent, board, enter, baseUrl } = acmeConsole();

/** Another agent of the company. */
let bo: Api;
let boId: string;
beforeAll(async () => {
  const made = await must(board, `POST /api${at('/agents')}`, { name: 'Bo', role: 'editor' });
  boId = String(made['id']);
  const { key } = await must(board, `POST /api/agents/${boId}/keys`, { name: 'laptop' });
  bo = createApi({ baseUrl: baseUrl(), headers: bearer(String(key)) });
});

const write = async (by: Api, note: object, id: string = randomUUID()): Promise<string> => {
  await must(by, `PUT /api/notes/${id}`, note);
  return id;
};

/** A note of Ada, and another version of it by Bo. */
const disagree = async (title: string): Promise<{ id: string; copyId: string }> => {
  const id = await write(agent, { title, content: 'base\n' });
  await write(agent, { title, content: 'as Ada has it\n' }, id);
  const note = { title, content: 'as Bo has it\n' };
  const change = { mutationId: randomUUID(), id, op: 'put', baseRevision: 1, note };
  await must(bo, 'POST /api/sync', { clientId: 'console-test', changes: [change] });
  const { items } = (await must(board, `GET /api/notes/${id}/conflicts`)) as {
    readonly items: readonly { readonly id: string }[];
  };
  return { id, copyId: items[0]?.id ?? '' };
};

const rowOf = (page: Page, title: string) => page.getByRole('row').filter({ hasText: title });

const phone = { width: 390, height: 780 };

describe('the list of notes', () => {
  it('says who changed each note last, also by a move, and shows the notes of one, also in a search', async () => {
    await write(agent, { title: 'Kettle', content: 'boiling water' });
    const teapot = { title: 'Teapot', content: 'boiling water, too' };
    const id = await write(agent, teapot);
    // A move, which wrote no word of it.
    await write(bo, { ...teapot, folder: 'tea' }, id);
    await write(bo, { title: 'Infuser', content: 'boiling water, never', pinned: true });
    const page = await enter();
    await openPage(page, at('/notes'));
    await rowOf(page, 'Kettle').getByRole('cell', { name: 'Ada', exact: true }).waitFor();
    await rowOf(page, 'Teapot').getByRole('cell', { name: 'Bo', exact: true }).waitFor();
    await page.getByRole('columnheader', { name: 'Changed by' }).first().waitFor();
    await page.getByRole('combobox', { name: 'Changed by' }).click();
    await page.getByRole('option', { name: 'Bo', exact: true }).click();
    await page.waitForURL(new RegExp(`author=${boId}`));
    await rowOf(page, 'Kettle').waitFor({ state: 'detached' });
    await rowOf(page, 'Infuser').waitFor();
    expect(await page.getByRole('cell', { name: 'Ada', exact: true }).count()).toBe(0);
    await page.getByRole('textbox', { name: 'Search' }).fill('boiling');
    await page.waitForURL(/q=boiling/);
    await page.getByText('boiling water, never').waitFor();
    expect(await rowOf(page, 'Kettle').count()).toBe(0);
    // The address is all it takes.
    await page.reload();
    await rowOf(page, 'Teapot').waitFor();
    await page.waitForFunction(() =>
      [...document.querySelectorAll('input')].some(({ value }) => value === 'Bo'),
    );
    await expectNoAxeViolations(page);
    await page.setViewportSize(phone);
    await rowOf(page, 'Teapot')
      .getByText(/Changed by Bo, /)
      .waitFor();
    await expectNoAxeViolations(page);
  });
});

describe('a note with an open conflict', () => {
  it('is one row, says so when it is read, and is settled between versions with names', async () => {
    const { id } = await disagree('Steeping time');
    const page = await enter();
    await openPage(page, at('/notes'));
    const row = rowOf(page, 'Steeping time');
    await row.getByText('conflict', { exact: true }).waitFor();
    expect(await row.count()).toBe(1);
    await row.getByRole('link', { name: 'Steeping time' }).click();
    await page.getByText('This note has an open conflict').waitFor();
    await page.getByText(/Bo changed the same lines/).waitFor();
    await expectNoAxeViolations(page);
    await expectLargeTargets(page);
    await page.getByRole('link', { name: 'Compare and resolve' }).click();
    await page.getByRole('heading', { name: 'Ada’s version' }).waitFor();
    await page.getByRole('heading', { name: 'Bo’s version' }).waitFor();
    await page.getByRole('radio', { name: 'Ada’s version, change 1' }).waitFor();
    await page.getByRole('radio', { name: 'Bo’s version, change 1' }).waitFor();
    await expectNoAxeViolations(page);
    await page.getByRole('button', { name: 'Keep Bo’s version' }).click();
    await page.getByRole('heading', { name: 'Steeping time', exact: true }).waitFor();
    await page.getByRole('heading', { name: 'Bo’s version' }).waitFor({ state: 'detached' });
    await page.getByText('as Bo has it').waitFor();
    await page.getByText('This note has an open conflict').waitFor({ state: 'detached' });
    expect(await must(board, `GET /api/notes/${id}`)).toMatchObject({ content: 'as Bo has it\n' });
  });

  it('is settled change by change, between columns with the names of the two', async () => {
    const lines = Array.from({ length: 20 }, (_, index) => `line ${index}`);
    const textOf = (kettle: string, cup: string): string =>
      [`# Tea`, kettle, ...lines, cup, ''].join('\n');
    const id = await write(agent, { title: 'By change', content: textOf('boil', 'pour') });
    await write(agent, { title: 'By change', content: textOf('boil at 90', 'pour fast') }, id);
    const note = { title: 'By change', content: textOf('boil at 80', 'pour slowly') };
    const change = { mutationId: randomUUID(), id, op: 'put', baseRevision: 1, note };
    await must(bo, 'POST /api/sync', { clientId: 'console-test', changes: [change] });
    const page = await enter();
    await openPage(page, at(`/notes/${id}`));
    await page.getByRole('link', { name: 'Compare and resolve' }).click();
    await page.getByText('14 unchanged lines').waitFor();
    const save = page.getByRole('button', { name: 'Save these choices' });
    expect(await save.isDisabled()).toBe(true);
    await page.getByRole('radio', { name: 'Ada’s version, change 1' }).check();
    await page.getByText('1 of 2 changes chosen').waitFor();
    // By a click on the text, not only on the radio button.
    await page.getByText('pour slowly').click();
    await page.getByText('2 of 2 changes chosen').waitFor();
    await expectNoAxeViolations(page);
    await expectLargeTargets(page);
    // What is chosen is work, too.
    await page.getByRole('link', { name: 'Commonplace, home' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Stay' }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.setViewportSize(phone);
    await expectNoAxeViolations(page);
    await save.click();
    await page.getByText('Conflict resolved.').waitFor();
    expect(await must(board, `GET /api/notes/${id}`)).toMatchObject({
      content: textOf('boil at 90', 'pour slowly'),
    });
  });

  it('is one row of a search, and one option of the quick search and of a link that is typed', async () => {
    await disagree('Milk or lemon');
    const page = await enter();
    await openPage(page, at('/notes?q=lemon'));
    await rowOf(page, 'Milk or lemon').first().waitFor();
    expect(await rowOf(page, 'Milk or lemon').count()).toBe(1);
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: 'Notes, agents, pages and actions' }).fill('lemon');
    const options = page.getByRole('option', { name: /Milk or lemon/ });
    await options.first().waitFor();
    expect(await options.count()).toBe(1);
    const id = await write(agent, { title: 'About milk', content: '' });
    await openPage(page, at(`/notes/${id}/edit`));
    await page.getByLabel('Content').click();
    await page.keyboard.type('see [[milk or');
    await options.first().waitFor();
    expect(await options.count()).toBe(1);
  });
});

describe('a note', () => {
  it('says beside its text who wrote what, and when, in an address', async () => {
    const title = 'By two';
    const id = await write(agent, { title, content: 'By Ada.\n\n- one\n- two\n' });
    await write(bo, { title, content: 'By Ada.\n\n- one\n- two\n\nBy Bo.\n\nBy Bo, too.\n' }, id);
    const page = await enter();
    await openPage(page, at(`/notes/${id}`));
    await page.getByText('By Bo.', { exact: true }).waitFor();
    expect(await page.getByRole('link', { name: 'Bo', exact: true }).count()).toBe(0);
    await page.getByRole('link', { name: 'Authors' }).click();
    await page.waitForURL(/beside=authors/);
    const names = page.getByRole('link', { name: /^(Ada|Bo)$/ });
    await names.first().waitFor();
    // Once for what follows each other.
    expect(await names.allInnerTexts()).toEqual(['Ada', 'Bo']);
    await expectNoAxeViolations(page);
    await page.setViewportSize(phone);
    await expectNoAxeViolations(page);
    await page.reload();
    await names.last().click();
    await page.waitForURL(/history\?version=2/);
    await page.getByRole('region', { name: 'Text of revision 2' }).waitFor();
    await page.goBack();
    await page.getByRole('link', { name: 'Hide authors' }).click();
    await names.first().waitFor({ state: 'detached' });
  });
});

describe('the authors of a block', () => {
  it('stand beside the lines that they wrote', async () => {
    const rows = ['| One | Two |', '|---|---|'].concat(
      Array.from('abcdefgh', (letter) => `| ${letter} | of Ada |`),
    );
    const title = 'A long table';
    const id = await write(agent, { title, content: `${rows.join('\n')}\n` });
    const changed = rows.map((row) => row.replace('h | of Ada', 'h | of Bo'));
    await write(bo, { title, content: `${changed.join('\n')}\n` }, id);
    const page = await enter();
    await page.setViewportSize({ width: 1200, height: 900 });
    await openPage(page, at(`/notes/${id}?beside=authors`));
    const topOf = async (name: string, role: 'link' | 'cell'): Promise<number> => {
      const element = page.getByRole('main').getByRole(role, { name, exact: true }).last();
      await element.waitFor();
      return (await element.boundingBox())?.y ?? 0;
    };
    const [ada, other] = [await topOf('Ada', 'link'), await topOf('Bo', 'link')];
    expect(Math.abs(other - (await topOf('of Bo', 'cell')))).toBeLessThan(45);
    expect(other - ada).toBeGreaterThan(150);
    await expectNoAxeViolations(page);
  });
});

describe('the authors of a block that many versions brought', () => {
  it('have a line each, with the revision where one name stands for several', async () => {
    const title = 'A poem';
    const textOf = (...lines: readonly string[]): string => `${lines.join('\n')}\n`;
    const id = await write(agent, {
      title,
      content: textOf('one', 'two', 'three', 'four', 'five'),
    });
    await write(bo, { title, content: textOf('one', 'two', 'three', 'four', '5') }, id);
    await write(bo, { title, content: textOf('one', 'two', 'three', '4', '5') }, id);
    await write(bo, { title, content: textOf('one', 'two', '3', '4', '5') }, id);
    await write(agent, { title, content: textOf('one', '2', '3', '4', '5') }, id);
    const page = await enter();
    await page.setViewportSize({ width: 1200, height: 900 });
    await openPage(page, at(`/notes/${id}?beside=authors`));
    await page.getByText(/^Written by Ada, revision 5,/).waitFor();
    await page.getByText(/^Written by Bo /).waitFor();
    await page.getByText('and 2 more', { exact: true }).waitFor();
    const labels = page.locator('[style*="--top"]');
    expect(await labels.count()).toBe(4);
    const boxes = await Promise.all((await labels.all()).map(async (label) => label.boundingBox()));
    for (const [index, box] of boxes.slice(1).entries()) {
      const above = boxes[index];
      expect(box?.y).toBeGreaterThanOrEqual((above?.y ?? 0) + (above?.height ?? 0) - 0.5);
    }
    await expectNoAxeViolations(page);
    await expectLargeTargets(page);
  });
});

describe('a history', () => {
  it('shows the newer version alone where the older one is no longer stored', async () => {
    const id = await write(agent, { title: 'Pruned', content: 'first words\n' });
    await write(bo, { title: 'Pruned', content: 'second words\n' }, id);
    const page = await enter();
    const gone = { type: 'about:blank', title: 'Not found', status: 404, code: 'not_found' };
    await page.route(`**/api/notes/${id}/revisions/1*`, (route) =>
      route.fulfill({
        status: 404,
        contentType: 'application/problem+json',
        body: JSON.stringify({ ...gone, detail: 'No such revision.' }),
      }),
    );
    await openPage(page, at(`/notes/${id}/history?older=1&newer=2`));
    const compared = page.getByRole('region', { name: 'Revision 1 compared with revision 2' });
    await compared.getByText(/^Revision 1 is no longer stored/).waitFor();
    await compared.getByText('second words').waitFor();
    expect(await compared.getByRole('alert').count()).toBe(0);
    await expectNoAxeViolations(page);
  });

  it('opens any version, and compares any two, in an address', async () => {
    const title = 'Growing';
    const id = await write(agent, { title, content: '# Growing\n\nfirst words\n' });
    await write(bo, { title, content: '# Growing\n\nsecond words\n', tags: ['tea'] }, id);
    await write(agent, { title, content: '# Growing\n\nthird words\n', tags: ['tea'] }, id);
    const page = await enter();
    await openPage(page, at(`/notes/${id}/history`));
    await page.getByRole('button', { name: 'Show text of revision 1' }).click();
    const text = page.getByRole('region', { name: 'Text of revision 1' });
    await text.getByText('first words').waitFor();
    await page.getByRole('checkbox', { name: 'Compare revision 1' }).check();
    await page.getByText('Revision 1 is chosen').waitFor();
    await page.getByRole('checkbox', { name: 'Compare revision 3' }).check();
    const compared = page.getByRole('region', { name: 'Revision 1 compared with revision 3' });
    await compared.getByLabel('Differences').waitFor();
    expect(await compared.getByLabel('Differences').textContent()).toMatch(
      /- first words\n\+ third words/,
    );
    expect(await compared.getByRole('list', { name: 'Changed fields' }).innerText()).toBe(
      'Tags: none → tea',
    );
    await expectNoAxeViolations(page);
    await expectLargeTargets(page);
    await page.reload();
    await compared.getByLabel('Differences').waitFor();
    await text.getByText('first words').waitFor();
    await page.getByRole('checkbox', { name: 'Compare revision 2' }).check();
    const others = page.getByRole('region', { name: 'Revision 2 compared with revision 3' });
    await others.getByText(/From that of Bo/).waitFor();
    await page.setViewportSize(phone);
    await expectNoAxeViolations(page);
    await others.getByRole('button', { name: 'Close the comparison' }).click();
    await others.waitFor({ state: 'detached' });
  });
});
