import type { Page } from 'playwright-core';
import type { Showcase } from './showcase.ts';

/** One picture of the documentation. */
export type Picture = {
  readonly name: string;
  readonly path: string;
  /** Whether there is one of it on a phone, too. */
  readonly onPhone?: boolean;
  /** What is done on the page before the picture is taken. */
  readonly prepare?: (page: Page) => Promise<void>;
};

const openChanges = async (page: Page): Promise<void> => {
  await page.getByRole('button', { name: 'Show changes of revision 2' }).click();
  await page.getByLabel('Changes of revision 2', { exact: true }).waitFor();
};

/** The pictures of docs/console.md, by the name of their files. */
export const picturesOf = ({
  company,
  agent,
  note,
  conflict,
  syncJob,
}: Showcase): readonly Picture[] => [
  { name: 'dashboard', path: company, onPhone: true },
  { name: 'agent', path: agent },
  { name: 'org-chart', path: `${company}/org-chart`, onPhone: true },
  { name: 'notes', path: `${company}/notes`, onPhone: true },
  { name: 'note', path: note },
  { name: 'note-history', path: `${note}/history`, prepare: openChanges },
  { name: 'note-conflict', path: conflict, onPhone: true },
  { name: 'sync-job', path: syncJob },
  { name: 'runs', path: `${company}/runs` },
  { name: 'activity', path: `${company}/activity` },
];
