import { describe, expect, it } from '@jest/globals';
import { bearer, createApi, memberPassword } from '@commonplace/e2e';
import type { Page, Request } from 'playwright-core';
import { must } from '../tools/must.ts';
import { openPage } from '../tools/wait-until-idle.ts';
import { acmeConsole } from './support/acme-console.ts';
import { hold } from './support/hold.ts';
import { loseResponse } from './support/lose-response.ts';
import { sendHeld } from './support/send-held.ts';

const { at, board, baseUrl, enter } = acmeConsole();

const hire = async (name: string): Promise<string> =>
  String((await must(board, `POST /api${at('/agents')}`, { name, role: 'tester' }))['id']);

/** Withdraws the invite of an address, as far as the page goes. */
const withdraw = async (page: Page, email: string): Promise<void> => {
  await page.getByRole('button', { name: `Withdraw the invite of ${email}` }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Withdraw invite' }).click();
};

describe('an invite', () => {
  it('whose withdrawal got no response is no longer listed, and the page says so', async () => {
    const email = 'nobody@example.org';
    await must(board, `POST /api${at('/invites')}`, { email, role: 'viewer' });
    const page = await enter();
    await openPage(page, at('/members'));
    await loseResponse(page, 'DELETE', '/invites/*');
    await withdraw(page, email);
    await page.getByText(`The invite of ${email} is no longer there`).waitFor();
    await page.getByRole('rowheader', { name: email, exact: true }).waitFor({ state: 'detached' });
    expect(await page.getByRole('main').getByRole('alert').count()).toBe(0);
  });

  it('that was used meanwhile is not said to be withdrawn, and who used it is listed as a member', async () => {
    const email = 'quick@example.org';
    const { token } = await must(board, `POST /api${at('/invites')}`, { email, role: 'viewer' });
    const page = await enter();
    await openPage(page, at('/members'));
    const visitor = createApi({ baseUrl: baseUrl(), headers: { origin: baseUrl(), cookie: '' } });
    const account = { token, name: 'Quick', password: memberPassword };
    await must(visitor, 'POST /api/auth/invites/accept', account);
    await withdraw(page, email);
    await page.getByText(`The invite of ${email} is no longer there`).waitFor();
    await page.getByRole('button', { name: 'Remove Quick' }).waitFor();
    expect(await page.getByText('was withdrawn.').count()).toBe(0);
  });
});

describe('an agent', () => {
  it('whose end got no response is shown as terminated', async () => {
    const page = await enter();
    await openPage(page, at(`/agents/${await hire('Ended')}`));
    await loseResponse(page, 'POST', '/terminate');
    await page.getByRole('button', { name: 'Terminate…' }).click();
    await page.getByRole('button', { name: 'Terminate agent' }).click();
    await page.getByText('terminated', { exact: true }).first().waitFor();
    expect(await page.getByRole('button', { name: 'Pause' }).count()).toBe(0);
  });

  it('that was not ended says so at once, also where the page cannot be loaded again', async () => {
    const page = await enter();
    await openPage(page, at(`/agents/${await hire('Kept')}`));
    await page.getByRole('button', { name: 'Terminate…' }).click();
    const isRead = (request: Request): boolean => request.method() === 'GET';
    const reads = await hold(page, '**/api/**', isRead);
    await page.route('**/api/**', (route) =>
      isRead(route.request()) ? route.fallback() : route.fulfill({ status: 500, body: 'broken' }),
    );
    await page.getByRole('button', { name: 'Terminate agent' }).click();
    const alert = page.getByRole('main').getByRole('alert');
    await alert.waitFor();
    expect(await alert.count()).toBe(1);
    reads.release();
  });

  it('that is being changed keeps its form until it is, and the page says what was changed', async () => {
    const page = await enter();
    const id = await hire('Edited');
    await openPage(page, at(`/agents/${id}`));
    await page.getByRole('button', { name: 'Edit', exact: true }).click();
    const dialog = page.getByRole('dialog', { name: 'Edit Edited' });
    await dialog.getByLabel('Title', { exact: true }).fill('Of everything');
    const release = await sendHeld(page, `**/api/agents/${id}`, () => page.keyboard.press('Enter'));
    await dialog.getByRole('button', { name: 'Close' }).waitFor({ state: 'detached' });
    await page.keyboard.press('Escape');
    expect(await dialog.isVisible()).toBe(true);
    release();
    await page.getByText('Edited was changed.').waitFor();
    await dialog.waitFor({ state: 'detached' });
  });

  it('whose undo got no response when it was taken back says that it was', async () => {
    const id = await hire('Undone');
    const { key } = await must(board, `POST /api/agents/${id}/keys`, { name: 'only' });
    const agent = createApi({ baseUrl: baseUrl(), headers: bearer(String(key)) });
    await must(agent, 'POST /api/notes', { title: 'Undone once', content: 'n\n' });
    const page = await enter();
    await openPage(page, at(`/agents/${id}`));
    await page.getByRole('button', { name: 'Stop and undo what Undone wrote' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Stop it and show the notes' }).click();
    await dialog.getByRole('button', { name: 'Undo 1 note' }).click();
    const back = dialog.getByRole('button', { name: 'Take this undo back' });
    await back.waitFor();
    await loseResponse(page, 'POST', '/api/notes/undo');
    await back.click();
    await dialog.getByText('That was taken back.').waitFor();
    expect(await back.count()).toBe(0);
  });
});

describe('where the system replaces colours', () => {
  it('a checkbox shows whether it is checked, and a dialog where it ends', async () => {
    const page = await enter();
    await page.emulateMedia({ forcedColors: 'active' });
    await openPage(page, at(`/agents/${await hire('Plain')}`));
    await page.getByRole('button', { name: 'Stop and undo what Plain wrote' }).click();
    const dialog = page.getByRole('dialog');
    const box = dialog.getByRole('checkbox', { name: /^Pause the agent first/ });
    await box.waitFor();
    const seen = await box.evaluate((element) => {
      const mark = element.parentElement?.querySelector('svg');
      return [
        getComputedStyle(element).backgroundColor,
        mark ? getComputedStyle(mark).color : 'no mark',
      ];
    });
    expect(seen).toEqual(['rgb(255, 255, 255)', 'rgb(0, 0, 0)']);
    const border = await dialog.evaluate((element) => getComputedStyle(element).borderTopWidth);
    expect(border).toBe('1px');
  });
});
