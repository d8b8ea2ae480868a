import type { Api } from '@commonplace/e2e';
import type { Page } from 'playwright-core';
import { openPage } from '../../tools/wait-until-idle.ts';
import { createConflict } from './create-conflict.ts';

type Options = {
  readonly agent: Api;
  readonly enter: () => Promise<Page>;
  readonly at: (section: string) => string;
};

/** Two versions of a note with two changes, and the page of their conflict. */
export const openConflictPage = async ({ agent, enter, at }: Options, title: string) => {
  const made = await createConflict(
    agent,
    title,
    [1, 2, 3].map((version) => `first ${version}\nsame\nsame\nlast ${version}\n`),
  );
  const page = await enter();
  await openPage(page, at(`/notes/${made.copyId}/conflict`));
  return { ...made, page };
};

/** The choice of the version that was not merged. */
export const kept = (page: Page, change: number) =>
  page.getByRole('radio', { name: `Ada’s unmerged version, change ${change}` });

export const combined = (page: Page) => page.getByRole('textbox', { name: 'Combined text' });
