import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { inviteMember, type NewMember } from '@commonplace/e2e';
import type { Page } from 'playwright-core';
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

const members = (): string => `/companies/${subject.world.acme.companyId}/members`;

const join = async (
  email: string,
  role: 'viewer' | 'owner',
  grants: NewMember['grants'] = [],
): Promise<void> => {
  const { system, world } = subject;
  const asBoard = system.as(await system.boardHeaders());
  const reach = grants.length === 0 ? {} : { grants };
  await inviteMember(asBoard, world.acme, { baseUrl: system.baseUrl, email, role, ...reach });
};

/** What the server has, by email. */
const roleOf = async (email: string): Promise<string | undefined> => {
  const asBoard = subject.system.as(await subject.system.boardHeaders());
  const { items } = (await asBoard('GET', `/api${members()}`)).body as {
    readonly items: readonly { readonly email: string; readonly role: string }[];
  };
  return items.find((member) => member.email === email)?.role;
};

const roleIn = (page: Page, email: string) =>
  page.getByRole('row').filter({ hasText: email }).getByRole('combobox');

const choose = async (page: Page, email: string, role: string): Promise<void> => {
  await roleIn(page, email).click();
  await page.getByRole('option', { name: role, exact: true }).click();
};

describe('another role', () => {
  it('is given only after a dialog that names person and role, and a message says so', async () => {
    const email = emailOf('vic');
    await join(email, 'viewer');
    visitor = await subject.enter();
    const { page } = visitor;
    await page.goto(members());
    await choose(page, email, 'owner');
    const dialog = page.getByRole('dialog', { name: /^Change the role of .+ to owner\?$/ });
    await dialog.getByText('Owner: also manages members and the company').waitFor();
    expect(await dialog.getByText('your own role').count()).toBe(0);
    await expectNoAxeViolations(page);
    await page.keyboard.press('Enter');
    await dialog.waitFor({ state: 'detached' });
    expect(await roleOf(email)).toBe('viewer');
    expect(await roleIn(page, email).inputValue()).toBe('viewer');

    await choose(page, email, 'operator');
    await page.getByRole('button', { name: 'Change to operator' }).click();
    await page.getByText(/ is operator now\.$/).waitFor();
    expect(await roleOf(email)).toBe('operator');
  });

  it('that needs a recent sign-in stays named in its dialog, and is given after the confirmation', async () => {
    const email = emailOf('vera');
    await join(email, 'viewer');
    visitor = await subject.enter();
    const { page } = visitor;
    let isRefused = true;
    await page.route(`**/api${members()}/*`, async (route) => {
      await (isRefused
        ? route.fulfill({
            status: 403,
            contentType: 'application/problem+json',
            json: {
              type: 'about:blank',
              title: 'Confirm that it is you',
              status: 403,
              detail: 'This needs a sign-in of the last 15 minutes.',
              code: 'reauthentication_required',
              requestId: 'test',
            },
          })
        : route.continue());
    });
    await page.goto(members());
    await choose(page, email, 'operator');
    const named = page.getByRole('dialog', { name: /^Change the role of/ });
    const change = named.getByRole('button', { name: 'Change to operator' });
    const confirmation = page.getByRole('dialog', { name: 'Confirm that it is you' });
    await change.click();
    await confirmation.waitFor();
    await page.keyboard.press('Escape');
    await confirmation.waitFor({ state: 'detached' });
    await named.getByRole('alert').waitFor();
    expect(await roleOf(email)).toBe('viewer');
    await change.click();
    await confirmation.waitFor();
    isRefused = false;
    await confirmation.getByLabel('Password', { exact: true }).fill(board.password);
    await page.keyboard.press('Enter');
    await page.getByText(/ is operator now\.$/).waitFor();
    await named.waitFor({ state: 'detached' });
  });

  it('says what becomes of the folders of a viewer, which come back with no role', async () => {
    const email = emailOf('fay');
    await join(email, 'viewer', [{ folder: 'lab', scope: 'read' }]);
    visitor = await subject.enter();
    const { page } = visitor;
    await page.goto(members());
    await choose(page, email, 'operator');
    const dialog = page.getByRole('dialog');
    await dialog.getByText('They reach all notes then, not only lab').waitFor();
    await dialog.getByRole('button', { name: 'Change to operator' }).click();
    await page.getByText(/ is operator now\.$/).waitFor();
    await dialog.waitFor({ state: 'detached' });
    await choose(page, email, 'viewer');
    await dialog.getByText('Viewers read all notes, until folders are chosen').waitFor();
    expect(await roleOf(email)).toBe('operator');
  });

  it('of oneself says that only another owner can give it back', async () => {
    await join(emailOf('olga'), 'owner');
    visitor = await subject.enter();
    const { page } = visitor;
    await page.goto(members());
    await choose(page, board.email, 'viewer');
    await page.getByText('only another owner can give it back to you').waitFor();
    await page.getByRole('button', { name: 'Cancel' }).click();
    expect(await roleOf(board.email)).toBe('owner');
  });
});
