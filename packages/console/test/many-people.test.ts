import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { inviteMember } from '@commonplace/e2e';
import type { Page } from 'playwright-core';
import { openPage } from '../tools/wait-until-idle.ts';
import { expectNoAxeViolations } from './support/axe.ts';
import type { Visitor } from './support/browser.ts';
import { emailOf, startConsole, type ConsoleUnderTest } from './support/start-console.ts';

/** More than a page of a list. */
const members = 60;

let subject: ConsoleUnderTest;
let visitor: Visitor;
beforeAll(async () => {
  subject = await startConsole();
  const { system, world } = subject;
  const board = system.as(await system.boardHeaders());
  for (let count = 0; count < members; count += 1) {
    const email = emailOf(`crowd-${count}`);
    await inviteMember(board, world.acme, { baseUrl: system.baseUrl, email, role: 'viewer' });
  }
}, 180_000);
afterEach(() => visitor.close());
afterAll(() => subject.stop());

const membersPage = (): string => `/companies/${subject.world.acme.companyId}/members`;

const enter = async (path: string): Promise<Page> => {
  visitor = await subject.enter();
  await openPage(visitor.page, path);
  return visitor.page;
};

const rowsOf = (page: Page) => page.getByRole('main').getByRole('row').filter({ hasText: '@' });

/** Counts the requests of a page for a list. */
const countOf = (page: Page, path: string): (() => number) => {
  let count = 0;
  page.on('request', (request) => {
    count += Number(new URL(request.url()).pathname === path);
  });
  return () => count;
};

describe.each([
  ['a company with many members', membersPage, () => `/api${membersPage()}`],
  ['an instance with many operators', () => '/operators', () => '/api/auth/operators'],
])('%s', (_, pageOf, apiPath) => {
  it('finds one beyond the first page by a part of the email, in one request and in the address', async () => {
    const page = await enter(pageOf());
    await page.getByRole('button', { name: 'Load more' }).waitFor();
    const requests = countOf(page, apiPath());
    const last = emailOf(`crowd-${members - 1}`);
    await page.getByRole('main').getByLabel('Search').fill(last.slice(0, 10).toUpperCase());
    await page.waitForURL(/q=CROWD/);
    await page.getByRole('row').filter({ hasText: last }).waitFor();
    await page.getByRole('button', { name: 'Load more' }).waitFor({ state: 'detached' });
    expect(requests()).toBe(1);
    await page.reload();
    await page.getByRole('row').filter({ hasText: last }).waitFor();
    await page.getByRole('main').getByLabel('Search').fill(`${last}x`);
    await page.getByRole('heading', { name: /^No matching/ }).waitFor();
    await expectNoAxeViolations(page);
  });

  it('loads all pages, each with one request', async () => {
    const page = await enter(pageOf());
    const requests = countOf(page, apiPath());
    const more = page.getByRole('button', { name: 'Load more' });
    await more.waitFor();
    let pages = 0;
    while ((await more.count()) > 0) {
      await more.click();
      pages += 1;
      await rowsOf(page)
        .nth(pages * 50)
        .waitFor();
    }
    expect(await rowsOf(page).count()).toBeGreaterThan(members);
    expect(requests()).toBe(pages);
  });
});

describe('a change of one of many that is refused', () => {
  const refused = {
    status: 409,
    contentType: 'application/problem+json',
    json: {
      type: 'about:blank',
      title: 'Not now',
      status: 409,
      detail: 'This one stays as it is.',
      code: 'last_owner',
      requestId: 'test',
    },
  };

  const expectSeen = async (page: Page): Promise<void> => {
    const alert = page.getByRole('main').getByRole('alert');
    await alert.getByText('This one stays as it is.').waitFor();
    const box = await alert.boundingBox();
    const { height } = page.viewportSize() ?? { height: 0 };
    expect(box && box.y >= 0 && box.y < height).toBe(true);
  };

  it('says so where it was made: a member', async () => {
    const page = await enter(membersPage());
    await page.route(/\/members\/[^/]+$/, (route) => route.fulfill(refused));
    await page.getByRole('button', { name: 'Remove A viewer' }).nth(40).click();
    await page.getByRole('button', { name: 'Remove member' }).click();
    await expectSeen(page);
  });

  it('says so where it was made: an operator', async () => {
    // Other files have operators in the same system.
    const [, domain = ''] = emailOf('a').split('@');
    const page = await enter(`/operators?q=${domain}`);
    await page.route(/\/operators\/[^/]+$/, (route) => route.fulfill(refused));
    await page.getByRole('button', { name: 'Actions for A viewer' }).nth(40).click();
    await page.getByRole('menuitem', { name: 'Disable…' }).click();
    await page.getByRole('button', { name: 'Disable operator' }).click();
    await expectSeen(page);
  });
});
