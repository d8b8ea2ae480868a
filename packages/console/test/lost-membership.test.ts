import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { inviteMember, memberPassword, type NewMember } from '@commonplace/e2e';
import type { Page } from 'playwright-core';
import { openPage } from '../tools/wait-until-idle.ts';
import { expectNoAxeViolations } from './support/axe.ts';
import type { Visitor } from './support/browser.ts';
import { board, emailOf, startConsole, type ConsoleUnderTest } from './support/start-console.ts';

let subject: ConsoleUnderTest;
let visitor: Visitor;
beforeAll(async () => {
  subject = await startConsole();
}, 120_000);
afterEach(() => visitor.close());
afterAll(() => subject.stop());

const at = (section: string): string => `/companies/${subject.world.acme.companyId}${section}`;

const asBoard = async () => subject.system.as(await subject.system.boardHeaders());

/** A new account with a membership in Acme. Returns its id. */
const join = async (email: string, role: NewMember['role']): Promise<string> => {
  const { system, world } = subject;
  const options = { baseUrl: system.baseUrl, email, role };
  const headers = await inviteMember(await asBoard(), world.acme, options);
  const { body } = await system.as(headers)('GET', '/api/auth/session');
  return (body as { readonly operator: { readonly id: string } }).operator.id;
};

const enter = async (email: string, section: string): Promise<Page> => {
  visitor = await subject.enter({ email, password: memberPassword });
  await openPage(visitor.page, at(section));
  return visitor.page;
};

const remove = async (operatorId: string): Promise<void> => {
  const { status } = await (await asBoard())('DELETE', `/api${at(`/members/${operatorId}`)}`);
  expect(status).toBe(204);
};

const rowOf = (page: Page, email: string) => page.getByRole('row').filter({ hasText: email });

const notAMember = (page: Page) =>
  page.getByRole('heading', { name: 'You are not a member of Acme Research', level: 1 });

describe('a member who is removed', () => {
  it('reads so on the open page, of which nothing stays, and comes back with the next invite', async () => {
    const email = emailOf('rita');
    const id = await join(email, 'operator');
    const page = await enter(email, '/members');
    await rowOf(page, board.email).waitFor();
    await remove(id);
    await notAMember(page).waitFor();
    const main = page.getByRole('main');
    expect(await main.getByText(board.email).count()).toBe(0);
    expect(await page.getByText('may be out of date').count()).toBe(0);
    // Nothing leads to the company any more.
    expect(await page.getByRole('link', { name: 'Notes' }).count()).toBe(0);
    await expectNoAxeViolations(page);

    const body = { email, role: 'viewer' };
    const invite = await (await asBoard())('POST', `/api${at('/invites')}`, { body });
    const { token } = invite.body as { readonly token: string };
    await page.evaluate(
      async (sent) =>
        void (await fetch('/api/auth/invites/accept', {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ token: sent }),
        })),
      token,
    );
    await rowOf(page, board.email).waitFor();
  });

  it('has no dialog of the company open any more', async () => {
    const email = emailOf('dirk');
    const id = await join(email, 'operator');
    const page = await enter(email, '/agents');
    await page.getByRole('button', { name: 'New agent' }).click();
    await page.getByRole('dialog').waitFor();
    await remove(id);
    await notAMember(page).waitFor();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(await page.getByRole('dialog').count()).toBe(0);
  });

  it('keeps what was being written, and reads that it cannot be saved', async () => {
    const email = emailOf('wim');
    const id = await join(email, 'operator');
    const page = await enter(email, '/notes/new');
    const content = page.getByRole('textbox', { name: 'Content', exact: true });
    await content.fill('not lost');
    await remove(id);
    await page
      .getByText('You are no longer a member of Acme Research. What you wrote here')
      .waitFor();
    expect(await content.innerText()).toContain('not lost');
    expect(await notAMember(page).count()).toBe(0);
  });
});

describe('a member of any role', () => {
  it.each(['viewer', 'operator', 'owner'] as const)('leaves the company: %s', async (role) => {
    const email = emailOf(`leaving-${role}`);
    await join(email, role);
    const page = await enter(email, '/members');
    expect(await rowOf(page, board.email).getByRole('button', { name: 'Leave' }).count()).toBe(0);
    await rowOf(page, email).getByRole('button', { name: 'Leave' }).click();
    const dialog = page.getByRole('dialog', { name: 'Leave Acme Research?' });
    await dialog.getByRole('button', { name: 'Leave company' }).click();
    await page.getByText('You left Acme Research.').waitFor();
    await page.getByRole('heading', { name: 'You are not a member of any company yet' }).waitFor();
    expect(await page.getByRole('combobox', { name: 'Company' }).count()).toBe(0);
  });
});

describe('the address of a company of others', () => {
  it('says so, and all else leads to the own one', async () => {
    const email = emailOf('foreign');
    await join(email, 'viewer');
    const { body } = await (
      await asBoard()
    )('POST', '/api/companies', { body: { name: 'Not hers' } });
    const { id } = body as { readonly id: string };
    visitor = await subject.enter({ email, password: memberPassword });
    const { page } = visitor;
    await openPage(page, `/companies/${id}/notes`);
    await page.getByRole('heading', { name: 'You are not a member of this company' }).waitFor();
    await page
      .getByRole('navigation', { name: 'Main' })
      .getByRole('link', { name: 'Notes' })
      .click();
    await page.waitForURL(`**${at('/notes')}`);
    await page.getByRole('heading', { name: 'Notes', level: 1 }).waitFor();
    expect(await notAMember(page).count()).toBe(0);
  });
});
