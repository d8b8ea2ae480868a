import { bearer } from '@commonplace/e2e';
import { startBrowser } from '@commonplace/e2e/browser';
import { randomUUID } from 'node:crypto';
import type { Browser } from 'playwright-core';
import { withClient } from '../baselines/bare-tables.ts';
import { blockingRows } from '../console/blocking-rows.ts';
import { measureLoad, type Network } from '../console/measure-load.ts';
import { measureScripts } from '../console/measure-scripts.ts';
import { measureScrolling, scrollToLast } from '../console/measure-scrolling.ts';
import { measureTyping } from '../console/measure-typing.ts';
import { msRow } from '../console/ms-row.ts';
import { openConsolePage } from '../console/open-page.ts';
import { paletteRows } from '../console/palette-rows.ts';
import { fillCompany } from '../growth/fill.ts';
import type { Bench, Measurement, Row } from '../measurement.ts';
import { retryingApi } from '../system/retrying-api.ts';
import { largeText } from '../system/texts.ts';

const notes = 100_000;
const noteBytes = 500 * 1_024;
const loads = 9;

/** What Lighthouse takes for a slow phone. */
const slowNetwork: Network = {
  downBitsPerSecond: 1_600_000,
  upBitsPerSecond: 750_000,
  latencyMs: 150,
};

/** The console in Chromium, with the longest lists and notes that it promises to handle. */
export const consoleInBrowser: Measurement = {
  name: 'console',
  measure: async (bench) => {
    const { product, environment, log } = bench;
    const company = await environment.makeCompany('Console');
    const [noteId, shortId] = [randomUUID(), randomUUID()];
    const api = retryingApi({ baseUrl: product.url, headers: bearer(company.key) });
    await withClient(product.databaseUrl, async (client) => {
      await fillCompany(client, company.companyId, { to: notes });
      await client.query('vacuum analyze');
    });
    await api('PUT', `/api/notes/${noteId}`, {
      body: { title: 'Large', content: largeText(noteBytes) },
    });
    await api('PUT', `/api/notes/${shortId}`, { body: { title: 'Short', content: 'A line.\n' } });
    const browser = await startBrowser();
    try {
      const place = { browser, url: `${product.url}/companies/${company.companyId}` };
      log('  scripts');
      const scripts = await scriptRows(place);
      log('  first loads');
      const loading = await loadRows(place, shortId);
      log('  main thread');
      const blocking = await blockingRows(browser, place.url);
      log('  typing');
      const typing = await typingRows(place, noteId);
      log('  quick search');
      const searching = await paletteRows(await newPage(place), place.url, api);
      log('  scrolling');
      const scrolling = await scrollingRows(place, bench);
      return [...scripts, ...loading, ...blocking, ...typing, ...searching, ...scrolling];
    } finally {
      await browser.close();
    }
  },
};

type Place = { readonly browser: Browser; readonly url: string };

const scriptRows = async ({ browser, url }: Place): Promise<readonly Row[]> => {
  const rows: Row[] = [];
  for (const [name, path] of [
    ['dashboard', ''],
    ['notes', '/notes'],
  ] as const) {
    const { bytes, apartBytes } = await measureScripts(browser, url + path);
    rows.push({
      name: `scripts of the ${name}, compressed as sent`,
      unit: 'KB',
      value: bytes / 1_000,
      baseline: null,
      target: { of: 'value', is: 'at most', bound: 200 },
      ...(apartBytes > 0 ? { note: `charts apart, ${Math.round(apartBytes / 1_000)} KB` } : {}),
    });
  }
  return rows;
};

/** The first visit of a browser: nothing is cached. */
const loadRows = async ({ browser, url }: Place, noteId: string): Promise<readonly Row[]> => {
  const measure = async (path: string, ready: string, network?: Network) => {
    const measured = [];
    for (let load = 0; load < loads; load += 1) {
      measured.push(await measureLoad(browser, { url: url + path, ready, network }));
    }
    return measured;
  };
  const list = await measure('/notes', 'main h1');
  const editor = await measure(`/notes/${noteId}/edit`, '.cm-content[contenteditable="true"]');
  const slow = await measure('/notes', 'tr[data-row-note] a[data-title]', slowNetwork);
  return [
    msRow(
      'first paint of the notes, nothing cached, median',
      300,
      list.map(({ firstPaintMs }) => firstPaintMs),
    ),
    msRow(
      'the editor of a note, nothing cached, median',
      500,
      editor.map(({ readyMs }) => readyMs),
    ),
    msRow(
      'the list of notes at 1.6 Mbit/s, nothing cached, median',
      2_500,
      slow.map(({ readyMs }) => readyMs),
    ),
  ];
};

const typingRows = async (place: Place, noteId: string): Promise<readonly Row[]> => {
  const page = await newPage(place);
  await openConsolePage(page, `${place.url}/notes/${noteId}/edit`);
  await page.getByRole('region', { name: 'Preview' }).waitFor();
  await page.getByLabel('Content').click();
  const durations = await measureTyping(page);
  await page.context().close();
  const at = (share: number): number => durations[Math.ceil(share * durations.length) - 1] ?? 0;
  return [
    {
      name: 'a key in a note of 500 KiB beside its preview, p95',
      unit: 'ms',
      value: at(0.95),
      baseline: null,
      target: { of: 'value', is: 'at most', bound: 50 },
      note: `${durations.length} keys, median ${at(0.5)} ms, longest ${at(1)} ms`,
    },
  ];
};

const scrollingRows = async (place: Place, { log }: Bench): Promise<readonly Row[]> => {
  const page = await newPage(place);
  await openConsolePage(page, `${place.url}/notes`);
  const rows = [rowOf('the first notes, loading', await measureScrolling(page, 'down'))];
  // The fill wrote it first: the company had one note.
  const seconds = await scrollToLast(page, 'Note 2');
  log(`  ${notes} notes loaded by scrolling in ${seconds.toFixed(0)} s`);
  rows.push(rowOf(`${notes} loaded notes`, await measureScrolling(page, 'up')));
  await page.context().close();
  return rows;
};

const rowOf = (
  what: string,
  { framesPerSecond, slowestFrameMs }: Awaited<ReturnType<typeof measureScrolling>>,
): Row => ({
  name: `scrolling through ${what}`,
  unit: 'frames/s',
  value: framesPerSecond,
  baseline: null,
  target: { of: 'value', is: 'at least', bound: 50 },
  note: `slowest frame ${Math.round(slowestFrameMs)} ms`,
});

const newPage = async ({ browser }: Place) => {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  return context.newPage();
};
