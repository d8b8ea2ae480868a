import type { Page } from 'playwright-core';
import type { DemoData } from './demo-data.ts';
import type { Screenshot } from './screenshot.ts';

/** The screenshots of the pages of a company, and of an instance; the name is that of the file. */
export const pageScreenshots = (demo: DemoData): readonly Screenshot[] => [
  ...noteScreenshots(demo),
  ...watchScreenshots(demo),
];

/** The screenshots of agents and notes. */
const noteScreenshots = ({ company, agent, note, conflict }: DemoData): readonly Screenshot[] => [
  { name: 'dashboard', path: company, onPhone: true, height: 1500, before: addHistory },
  { name: 'agents', path: `${company}/agents`, onPhone: true },
  { name: 'agent', path: agent, onPhone: true, height: 1320 },
  { name: 'agent-keys', path: `${agent}?tab=keys`, onPhone: true },
  { name: 'org-chart', path: `${company}/org-chart`, onPhone: true },
  { name: 'notes', path: `${company}/notes`, onPhone: true },
  { name: 'notes-selected', path: `${company}/notes`, onPhone: true, prepare: selectNotes },
  { name: 'search', path: `${company}/notes?q=robot`, onPhone: true },
  { name: 'broken-links', path: `${company}/notes/broken-links`, onPhone: true },
  { name: 'begin', path: `${company}/begin`, onPhone: true, height: 1120, prepare: createKey },
  { name: 'note', path: note, onPhone: true, height: 1000 },
  { name: 'note-authors', path: `${note}?beside=authors`, onPhone: true, height: 1000 },
  { name: 'editor', path: `${note}/edit`, onPhone: true, prepare: findLinks },
  { name: 'new-note', path: `${company}/notes/new`, onPhone: true },
  { name: 'note-history', path: `${note}/history`, onPhone: true, prepare: openChanges },
  { name: 'note-conflict', path: conflict, onPhone: true },
];

/** The screenshots of what is decided and watched in a company, and of an instance. */
const watchScreenshots = ({ company, run, syncJob, overlap }: DemoData): readonly Screenshot[] => [
  {
    name: 'proposals',
    path: `${company}/proposals`,
    onPhone: true,
    height: 1000,
    prepare: countProposals,
  },
  {
    name: 'proposal-overlap',
    path: overlap,
    onPhone: true,
    height: 1000,
    prepare: countProposals,
  },
  { name: 'sync-jobs', path: `${company}/sync-jobs`, onPhone: true },
  { name: 'sync-job', path: syncJob, onPhone: true },
  { name: 'runs', path: `${company}/runs`, onPhone: true, height: 1000 },
  { name: 'run', path: run, onPhone: true },
  { name: 'credentials', path: `${company}/credentials`, onPhone: true },
  { name: 'find', path: company, prepare: findSchedule, onPhone: true },
  { name: 'activity', path: `${company}/activity`, onPhone: true },
  { name: 'members', path: `${company}/members`, onPhone: true },
  { name: 'settings', path: `${company}/settings`, onPhone: true, height: 1000 },
  { name: 'new-company', path: '/companies/new', onPhone: true },
  { name: 'operators', path: '/operators', onPhone: true },
  { name: 'sign-ins', path: '/sign-ins', onPhone: true },
  { name: 'instance', path: '/instance', height: 1000, onPhone: true },
];

const openChanges = async (page: Page): Promise<void> => {
  await page.getByRole('button', { name: 'Show changes of revision 2' }).click();
  await page.getByLabel('Changes of revision 2', { exact: true }).waitFor();
};

/** The links of the preview are found one by one. */
const findLinks = async (page: Page): Promise<void> => {
  const preview = page.getByRole('region', { name: 'Preview' });
  await preview.getByRole('link', { name: 'Robot calibration' }).waitFor();
};

const findSchedule = async (page: Page): Promise<void> => {
  await page.keyboard.press('Control+k');
  await page.getByRole('dialog').getByRole('combobox').fill('sched');
  await page
    .getByRole('option', { name: /^Schedule/ })
    .first()
    .waitFor();
};

/** The demo data is all of today; charts show more when it is spread over the days before. */
const addHistory = async (page: Page): Promise<void> => {
  await page.route(/\/usage\?.*by=day|\/notes\/activity\/days/, async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, json: spread((await response.json()) as Report) });
  });
};

type Item = Readonly<Record<string, unknown>>;
type Report = { readonly items: readonly Item[]; readonly total?: Item };

const sumOf = (items: readonly Item[], name: string): number =>
  items.reduce((sum, item) => sum + Number(item[name] ?? 0), 0);

const outcomesOf = (index: number) => ({
  succeeded: index % 7 < 5 ? 4 + ((index * 5) % 4) : 1,
  failed: index % 6 === 2 ? 2 : 0,
  cancelled: index % 9 === 5 ? 1 : 0,
  expired: index % 11 === 4 ? 1 : 0,
});

/** Less at weekends, a failure now and then; what was spent and changed in all stays the same. */
const spread = (report: Report): Report => {
  const runs = report.items.map((_, index) => outcomesOf(index));
  const work = sumOf(runs, 'succeeded');
  const items = report.items.map((item, index) => {
    const share = outcomesOf(index).succeeded / work;
    const part = (name: string) =>
      name in item ? { [name]: Math.round(share * sumOf(report.items, name)) } : {};
    return {
      ...item,
      ...part('costCents'),
      ...part('notes'),
      ...part('changes'),
      ...('runs' in item ? { runs: runs[index] } : {}),
    };
  });
  const total = Object.fromEntries(
    Object.keys(outcomesOf(0)).map((name) => [name, sumOf(runs, name)]),
  );
  return { ...report, items, ...(report.total ? { total: { ...report.total, runs: total } } : {}) };
};

const selectNotes = async (page: Page): Promise<void> => {
  const boxes = page.getByRole('checkbox', { name: /^Select (?!all|the notes)/ });
  await boxes.nth(1).click();
  await boxes.nth(3).click({ modifiers: ['Shift'] });
  await page.getByRole('region', { name: 'Selected notes' }).waitFor();
};

/** The navigation is complete after the page is. On a phone it is closed. */
const countProposals = async (page: Page): Promise<void> => {
  if ((page.viewportSize()?.width ?? 0) > 800) {
    const main = page.getByRole('navigation', { name: 'Main' });
    await main.getByRole('link', { name: /^Proposals ?\d+ open$/ }).waitFor();
    await main.getByRole('link', { name: 'Operators' }).waitFor();
  }
};

const createKey = async (page: Page): Promise<void> => {
  await page.getByRole('button', { name: 'Create key' }).click();
  await page.getByLabel('API key', { exact: true }).waitFor();
};
