import { randomUUID } from 'node:crypto';
import type { Api } from '@commonplace/e2e';
import type { Page } from 'playwright-core';
import type { Row } from '../measurement.ts';
import { measurePalette } from './measure-palette.ts';
import { msRow } from './ms-row.ts';
import { openConsolePage } from './open-page.ts';

/** A word a round: what was searched before is cached. */
const flowers = ['larkspur', 'hellebore', 'foxglove', 'saxifrage', 'toadflax', 'yarrow', 'teasel'];

/** Searches in the company whose pages are below `url`; `api` writes its notes. */
export const paletteRows = async (page: Page, url: string, api: Api): Promise<readonly Row[]> => {
  for (const flower of flowers) {
    for (const title of [`${flower} meadow`, `${flower} mill`]) {
      await api('PUT', `/api/notes/${randomUUID()}`, { body: { title, content: 'Seen in June.' } });
    }
  }
  await openConsolePage(page, `${url}/agents`);
  const times: number[] = [];
  for (const flower of flowers) {
    times.push(
      await measurePalette(page, {
        typed: `${flower} mi`,
        found: `${flower} mill`,
        other: `${flower} meadow`,
      }),
    );
  }
  await page.context().close();
  return [msRow('quick search, from the last key to its result, median', 200, times)];
};
