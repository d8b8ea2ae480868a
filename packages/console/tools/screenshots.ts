import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createApi, signIn } from '@commonplace/e2e';
import { startSystem } from '@commonplace/standalone';
import { chromium, type Browser, type BrowserContextOptions, type Page } from 'playwright-core';
import { openPage } from './wait-until-idle.ts';
import { connectScreenshots } from './connect-screenshots.ts';
import { createDemoData, type DemoData } from './demo-data.ts';
import type { Screenshot } from './screenshot.ts';
import { signInScreenshots, signInSettings } from './sign-in-screenshots.ts';

const operator = { email: 'board@example.org', password: 'seven grey herons waiting' };
const docs = join(import.meta.dirname, '../../../docs/images/console');

/** The browser profiles, by suffix of the file name. */
const profiles: Readonly<Record<string, BrowserContextOptions>> = {
  light: { colorScheme: 'light', viewport: { width: 1200, height: 760 } },
  dark: { colorScheme: 'dark', viewport: { width: 1200, height: 760 } },
  phone: { colorScheme: 'light', viewport: { width: 390, height: 780 } },
};

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

/** The screenshots of docs/console.md; the name is that of the file. */
const screenshotsOf = ({
  company,
  agent,
  run,
  note,
  conflict,
  syncJob,
  overlap,
}: DemoData): readonly Screenshot[] => [
  { name: 'dashboard', path: company, onPhone: true, height: 1500, before: addHistory },
  { name: 'agent', path: agent, height: 1320 },
  { name: 'org-chart', path: `${company}/org-chart`, onPhone: true },
  { name: 'notes', path: `${company}/notes`, onPhone: true },
  { name: 'notes-selected', path: `${company}/notes`, onPhone: true, prepare: selectNotes },
  { name: 'begin', path: `${company}/begin`, onPhone: true, height: 1120, prepare: createKey },
  { name: 'note', path: note, height: 1000 },
  { name: 'note-authors', path: `${note}?beside=authors`, height: 1000 },
  { name: 'editor', path: `${note}/edit`, onPhone: true, prepare: findLinks },
  { name: 'note-history', path: `${note}/history`, prepare: openChanges },
  { name: 'note-conflict', path: conflict, onPhone: true },
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
  { name: 'sync-job', path: syncJob },
  { name: 'runs', path: `${company}/runs`, height: 1000 },
  { name: 'run', path: run, onPhone: true },
  { name: 'credentials', path: `${company}/credentials` },
  { name: 'find', path: company, prepare: findSchedule, onPhone: true },
  { name: 'activity', path: `${company}/activity` },
  { name: 'sign-ins', path: '/sign-ins', onPhone: true },
  { name: 'instance', path: '/instance', height: 1000, onPhone: true },
  ...signInScreenshots,
];

/**
 * Takes the screenshots of docs/console.md from a temporary system. With names, only those are taken:
 * `node packages/console/tools/screenshots.ts notes runs`.
 */
const takeScreenshots = async (names: readonly string[]): Promise<void> => {
  const dataDir = await mkdtemp(join(tmpdir(), 'commonplace-screenshots-'));
  const system = await startSystem({
    dataDir,
    mode: 'authenticated',
    buildsServedFiles: true,
    output: () => undefined,
    env: {
      BOOTSTRAP_OPERATOR_EMAIL: operator.email,
      BOOTSTRAP_OPERATOR_PASSWORD: operator.password,
      ...signInSettings,
    },
  });
  const browser = await chromium.launch({
    executablePath: '/usr/bin/chromium',
    args: ['--no-sandbox'],
  });
  try {
    await takeAll(browser, system.baseUrl, names);
  } finally {
    await browser.close();
    await system.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
};

const takeAll = async (
  browser: Browser,
  baseUrl: string,
  names: readonly string[],
): Promise<void> => {
  const headers = await signIn({ baseUrl, ...operator });
  const demo = await createDemoData(baseUrl, createApi({ baseUrl, headers }));
  const all = [...screenshotsOf(demo), ...(await connectScreenshots(baseUrl, demo))];
  const screenshots = all.filter(({ name }) => names.length === 0 || names.includes(name));
  // Browsers make passkeys for names only.
  const namedUrl = baseUrl.replace('127.0.0.1', 'localhost');
  for (const [profile, options] of Object.entries(profiles)) {
    const context = await browser.newContext({
      baseURL: namedUrl,
      reducedMotion: 'reduce',
      ...options,
    });
    const [name = '', value = ''] = (headers['cookie'] ?? '').split('=', 2);
    for (const screenshot of screenshots.filter(({ onPhone }) => profile !== 'phone' || onPhone)) {
      await context.clearCookies();
      if (screenshot.isSignedOut !== true) {
        await context.addCookies([{ name, value, url: namedUrl }]);
      }
      await take(
        await context.newPage(),
        screenshot,
        join(docs, `${screenshot.name}-${profile}.png`),
      );
    }
    await context.close();
  }
};

const take = async (page: Page, screenshot: Screenshot, path: string): Promise<void> => {
  const { width } = page.viewportSize() ?? { width: 1200 };
  if (screenshot.height !== undefined) {
    await page.setViewportSize({ width, height: screenshot.height });
  }
  await screenshot.before?.(page);
  await openPage(page, screenshot.path);
  await screenshot.prepare?.(page);
  await page.screenshot({ path });
  await page.close();
};

await takeScreenshots(process.argv.slice(2));
