import { describe, expect, it } from '@jest/globals';
import type { Locator, Page } from 'playwright-core';
import { must } from '../tools/must.ts';
import { openPage } from '../tools/wait-until-idle.ts';
import { acmeConsole } from './support/acme-console.ts';
import { openConflictPage } from './support/conflict-page.ts';
import { listen } from './support/live-regions.ts';

const { at, agent, board, enter } = acmeConsole();

const main = (page: Page) => page.getByRole('navigation', { name: 'Main' });

/** Waits until something was said, and longer, so that what is said twice is noticed. */
const settledMs = 1_500;

const open = async (path: string) => {
  const page = await enter();
  const said = await listen(page);
  await openPage(page, path);
  await page.waitForTimeout(settledMs);
  await said();
  const after = async (act: () => Promise<unknown>) => {
    await act();
    await page.waitForTimeout(settledMs);
    return said();
  };
  return { page, after };
};

const write = (title: string, content = '', folder = '') =>
  must(agent, 'POST /api/notes', { title, content, folder });

describe('a screen reader says once', () => {
  it('the title of a page that was opened within the console, and of one that is not there', async () => {
    const { page, after } = await open(at(''));
    const opened = await after(() => main(page).getByRole('link', { name: 'Members' }).click());
    expect(opened).toEqual(['Members']);
    await openPage(page, at(`/runs/${at('').split('/')[2]}`));
    expect(await page.title()).toBe('No such run · Commonplace');
  });

  it('how much a list has once another filter applies, and nothing of a filter as the page opens', async () => {
    const { page, after } = await open(at('/agents'));
    const search = page.getByLabel('Search');
    expect(await after(() => search.fill('nobody'))).toEqual(['No agents']);
    expect(await after(() => search.fill('Ada'))).toEqual(['1 agent']);
  });

  it('how many notes a search found, none too, and how many are in a folder', async () => {
    await write('Loud one', 'whistle', 'loud');
    await write('Loud two', 'whistle', 'loud');
    const { page, after } = await open(at('/notes'));
    const search = page.getByRole('textbox', { name: 'Search' });
    expect(await after(() => search.fill('whistle'))).toEqual([
      '2 notes. A search lists the best match first.',
    ]);
    expect(await after(() => search.fill('xylophonist'))).toEqual(['No notes']);
    expect(await after(() => page.goto(at('/notes')))).toEqual([]);
    expect(await after(() => page.getByRole('link', { name: /^loud/ }).first().click())).toEqual([
      '2 notes',
    ]);
  });

  it('how many notes are selected, from the first one on, and what became of them', async () => {
    await write('Chosen one', '', 'chosen');
    await write('Chosen two', '', 'chosen');
    const { page, after } = await open(at('/notes?folder=chosen'));
    const select = (title: string) =>
      after(() => page.getByRole('checkbox', { name: `Select ${title}` }).click());
    expect(await select('Chosen one')).toEqual(['1 note selected']);
    expect(await select('Chosen two')).toEqual(['2 notes selected']);
    const archived = await after(() =>
      page.getByRole('button', { name: 'Archive', exact: true }).click(),
    );
    expect(archived).toEqual(['2 notes archived.']);
  });

  it('how much the quick search found, when one has stopped typing', async () => {
    const { page, after } = await open(at(''));
    await after(() => page.keyboard.press('Control+k'));
    const said = await after(() => page.keyboard.type('settings', { delay: 60 }));
    expect(said.filter((text) => /result/.test(text))).toHaveLength(1);
  });

  it('that a run has ended whose page is open', async () => {
    const { items } = (await board('GET', `/api${at('/agents')}`)).body as {
      items: readonly { readonly id: string; readonly name: string }[];
    };
    const id = items.find(({ name }) => name === 'Ada')?.id ?? '';
    const { run } = (await must(agent, `POST /api/agents/${id}/runs`, {})) as {
      readonly run: { readonly id: string };
    };
    const { page, after } = await open(at(`/runs/${run.id}`));
    const said = await after(async () => {
      await must(board, `POST /api/runs/${run.id}/cancel`, {});
      await page.getByText('cancelled', { exact: true }).first().waitFor();
    });
    expect(said).toEqual(['Run cancelled']);
  });
});

const isFocused = (field: Locator): Promise<boolean> =>
  field.evaluate((element) => element === document.activeElement);

describe('a form', () => {
  it('that is refused gives the focus to the field that says why', async () => {
    const { page } = await open(at('/settings'));
    const field = page.getByLabel('Monthly budget of the company');
    await field.fill('much');
    await page.getByRole('button', { name: 'Save budget' }).click();
    await field.and(page.locator('[aria-invalid="true"]')).waitFor();
    expect(await isFocused(field)).toBe(true);
  });

  it('that is saved, and has nothing to save now, leaves the focus in it', async () => {
    const { page } = await open(at('/settings'));
    const field = page.getByLabel('Monthly tokens of the company');
    await field.fill('5000000');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.getByRole('alert').getByText('Budget changed.').waitFor();
    await page.waitForTimeout(settledMs);
    expect(await isFocused(field)).toBe(true);
  });
});

/** The text that a dialog is described by; null: there is none. */
const describedBy = (page: Page): Promise<string | null> =>
  page
    .getByRole('dialog')
    .evaluate(
      (dialog) =>
        document.querySelector(`[id="${dialog.getAttribute('aria-describedby')}"]`)?.textContent ??
        null,
    );

describe('a dialog', () => {
  it('that confirms is described by its text, and one with a form is not read as a whole', async () => {
    const { page } = await open(at('/settings'));
    await page.getByRole('button', { name: 'Archive company…' }).click();
    await page.getByRole('dialog').waitFor();
    expect(await describedBy(page)).toMatch(/\.$/);
    await page.keyboard.press('Escape');
    await openPage(page, at('/agents'));
    await page.getByRole('button', { name: 'New agent' }).click();
    await page.getByRole('dialog').waitFor();
    expect(await describedBy(page)).toBeNull();
  });
});

describe('a difference', () => {
  it('says which lines were added and removed', async () => {
    const { id } = await write('Differs', 'one\ntwo\n');
    await must(agent, `PUT /api/notes/${String(id)}`, { title: 'Differs', content: 'one\n2\n' });
    const { page } = await open(at(`/notes/${String(id)}/history`));
    await page.getByRole('button', { name: 'Show changes of revision 2' }).click();
    const group = page.getByRole('group', { name: 'Changes of revision 2' });
    await group.waitFor();
    expect(await group.ariaSnapshot()).toMatch(/removed: .*two.*added: .*2/s);
  });

  it('has in each choice of a conflict the lines that it keeps', async () => {
    const { page } = await openConflictPage({ agent, enter, at }, 'Two versions');
    const choices = page.getByRole('radio', { name: /, change 1$/ });
    await choices.first().waitFor();
    const lines = await choices.evaluateAll((radios) =>
      radios.map(
        (radio) =>
          document.querySelector(`[id="${radio.getAttribute('aria-describedby')}"]`)?.textContent,
      ),
    );
    expect(lines.slice(0, 2)).toEqual(['first 2\n', 'first 3\n']);
  });
});

describe('a note', () => {
  it('has its headings below its title, and tasks that say what is to be done', async () => {
    const content = '# Plan\n\n- [ ] boil [[Water]]\n  - [x] fill\n- [ ] pour\n';
    const { id } = await write('Task list', content);
    const { page } = await open(at(`/notes/${String(id)}`));
    // Playwright takes the level of the element.
    await page.locator('h1[aria-level="2"]', { hasText: 'Plan' }).waitFor();
    const boxes = await page
      .getByRole('checkbox')
      .evaluateAll((all) => all.map(({ ariaLabel }) => ariaLabel));
    expect(boxes).toEqual(['To do: boil Water', 'Done: fill', 'To do: pour']);
  });
});

describe('a row', () => {
  it('of a table has a header, and its buttons say it once', async () => {
    const { page } = await open(at('/credentials'));
    const table = page.getByRole('table', { name: 'API keys' });
    await table.getByRole('rowheader', { name: /^matrix/ }).waitFor();
    const button = table.getByRole('button', { name: /^Revoke/ }).first();
    expect(await button.getAttribute('title')).toBeNull();
    await page.getByRole('group', { name: 'API keys' }).waitFor({ state: 'detached' });
    await page.setViewportSize({ width: 800, height: 700 });
    await page.locator('[role="group"][aria-label="API keys"][tabindex="0"]').waitFor();
  });
});
