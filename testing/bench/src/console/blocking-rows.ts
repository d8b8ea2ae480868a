import type { Browser } from 'playwright-core';
import type { Row } from '../measurement.ts';
import { measureBlocking } from './measure-blocking.ts';
import { msRow } from './ms-row.ts';

const loads = 7;

/** What Lighthouse calls good on a desktop. */
const blockedMsMax = 150;

const pages = [
  { name: 'dashboard', path: '' },
  { name: 'notes', path: '/notes' },
] as const;

/** How long first visits to pages of the company at `url` block the main thread. */
export const blockingRows = async (browser: Browser, url: string): Promise<readonly Row[]> => {
  const rows: Row[] = [];
  for (const { name, path } of pages) {
    const times: number[] = [];
    for (let load = 0; load < loads; load += 1) {
      times.push(await measureBlocking(browser, url + path));
    }
    rows.push(
      msRow(`main thread blocked by the ${name}, nothing cached, median`, blockedMsMax, times),
    );
  }
  return rows;
};
