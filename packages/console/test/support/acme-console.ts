import { afterAll, afterEach, beforeAll } from '@jest/globals';
import { bearer, createApi, type Api } from '@commonplace/e2e';
import type { Page } from 'playwright-core';
import { openPage } from '../../tools/wait-until-idle.ts';
import { killGateway, untilGatewayIsBack } from './gateway-faults.ts';
import type { Visitor } from './browser.ts';
import { startConsole, type ConsoleUnderTest, type Mode } from './start-console.ts';

type AcmeConsole = {
  /** The address of a page of the company: '' is its dashboard. */
  readonly at: (section: string) => string;
  /** Calls the API as the company's agent. */
  readonly agent: Api;
  /** Calls the API as the board, its owner. */
  readonly board: Api;
  /** A new browser profile, signed in as the board. After the test it is closed and checked for errors. */
  readonly enter: () => Promise<Page>;
  /** The same on a page with an editor of a note: its address below the company. */
  readonly openEditor: (section: string) => Promise<Page>;
  /** The same as `enter` without a session. */
  readonly visit: () => Promise<Page>;
  /** The address of the system. */
  readonly baseUrl: () => string;
  /** Kills the gateway; the system starts another. */
  readonly killGateway: () => Promise<void>;
  readonly untilGatewayIsBack: () => Promise<void>;
};

/**
 * A console for the tests of one file, with the company Acme and callers of its API. With a mode it has a system of its own;
 * without it shares that of the worker.
 */
export const acmeConsole = ({ mode }: { readonly mode?: Mode } = {}): AcmeConsole => {
  let subject: ConsoleUnderTest;
  let asAgent: Api;
  let asBoard: Api;
  const visitors: Visitor[] = [];
  const pageOf = (visitor: Visitor): Page => {
    visitors.push(visitor);
    return visitor.page;
  };
  beforeAll(async () => {
    subject = await startConsole({ mode });
    const { system, world } = subject;
    asAgent = createApi({ baseUrl: system.baseUrl, headers: bearer(world.acme.key) });
    asBoard = system.as(await system.boardHeaders());
  }, 120_000);
  afterEach(async () => {
    for (const visitor of visitors.splice(0)) {
      await visitor.close();
    }
  });
  afterAll(() => subject.stop());
  const at = (section: string) => `/companies/${subject.world.acme.companyId}${section}`;
  const enter = async () => pageOf(await subject.enter());
  return {
    at,
    agent: (...call) => asAgent(...call),
    board: (...call) => asBoard(...call),
    baseUrl: () => subject.system.baseUrl,
    killGateway: () => killGateway(subject.system),
    untilGatewayIsBack: () => untilGatewayIsBack(subject.system),
    enter,
    openEditor: async (section) => {
      const page = await enter();
      await openPage(page, at(section));
      await page.getByRole('textbox', { name: 'Content', exact: true }).waitFor();
      return page;
    },
    visit: async () => pageOf(await subject.visit()),
  };
};
