import { randomUUID } from 'node:crypto';
import type { Locator, Page } from 'playwright-core';
import { must } from '../../tools/must.ts';
import { acmeConsole } from './acme-console.ts';
import { makeProposer, type Proposer } from './proposer.ts';

/** A text of which two writers change different lines. */
export const text = 'one\ntwo\nthree\nfour\nfive\nsix\nseven\n';

/** The console of a company with agents that propose. */
export const proposalsConsole = () => {
  const { at, agent, board, baseUrl, enter } = acmeConsole();
  return {
    at,
    agent,
    enter,
    /** Each test has an agent of its own, and looks at its proposals only. */
    another: (name: string): Promise<Proposer> =>
      makeProposer(board, { baseUrl: baseUrl(), company: at(''), name }),
    write: async (title: string, content = text): Promise<string> => {
      const id = randomUUID();
      await must(agent, `PUT /api/notes/${id}`, { title, content });
      return id;
    },
    /** Of another writer than the proposer. */
    change: (id: string, find: string, by: string) =>
      must(agent, `PATCH /api/notes/${id}`, { edits: [{ op: 'replace', find, with: by }] }),
    contentOf: async (id: string): Promise<unknown> =>
      (await must(agent, `GET /api/notes/${id}`))['content'],
    stateOf: (id: string) => must(board, `GET /api/notes/proposals/${id}`),
    reject: (id: string) => must(board, `POST /api/notes/proposals/${id}/reject`, { reason: 'no' }),
    inbox: ({ id }: Proposer, more = ''): string => at(`/proposals?agent=${id}${more}`),
  };
};

/** The proposal that is open. */
export const detailOf = (page: Page, title: string): Locator =>
  page.getByRole('article', { name: title, exact: true });

/** Its link in the list. */
export const rowOf = (page: Page, title: string): Locator =>
  page.getByRole('list', { name: 'Proposals' }).getByRole('link', { name: title, exact: true });
