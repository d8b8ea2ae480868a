import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { inviteMember, memberPassword, runAdmin } from '@commonplace/e2e';
import { openPage } from '../tools/wait-until-idle.ts';
import type { Visitor } from './support/browser.ts';
import { startConsole, type ConsoleUnderTest } from './support/start-console.ts';

let subject: ConsoleUnderTest;
let visitor: Visitor;
let folder: string;
beforeAll(async () => {
  subject = await startConsole({ mode: 'authenticated' });
  folder = await mkdtemp(join(tmpdir(), 'commonplace-instance-'));
}, 120_000);
afterEach(() => visitor.close());
afterAll(async () => {
  await subject.stop();
  await rm(folder, { recursive: true, force: true });
});

const panel = ({ page }: Visitor, title: string) =>
  page.locator('.panel').filter({ has: page.getByRole('heading', { name: title }) });

describe('the page of the instance', () => {
  it('shows services, database, queues and checks, and the backup that was made', async () => {
    visitor = await subject.enter();
    const { page } = visitor;
    await openPage(page, '/');
    await page.getByRole('link', { name: 'Instance' }).click();
    await page.getByText('in authenticated mode').waitFor();
    expect(await page.getByText('ready', { exact: true }).count()).toBe(3);
    expect(await panel(visitor, 'Database').innerText()).toMatch(/\d+ of \d+/);
    expect(await panel(visitor, 'Streams and queues').innerText()).toContain('up to date');
    expect(await panel(visitor, 'Checks of the doctor').innerText()).toContain(
      'row-level security',
    );
    await panel(visitor, 'Last backup').getByText('none is known', { exact: true }).waitFor();
    const made = await runAdmin('backup', [join(folder, 'a.backup')], {
      DATABASE_URL: subject.system.system.databaseUrl,
      DATA_DIR: folder,
    });
    expect(made).toMatchObject({ exitCode: 0, stderr: '' });
    await panel(visitor, 'Last backup').getByText('yes, it was read back').waitFor();
  });

  it('names a service that does not respond, and shows the rest', async () => {
    const { pid } = subject.system.system.processes.find(({ name }) => name === 'notes') ?? {};
    if (typeof pid !== 'number') {
      throw new Error('notes does not run');
    }
    visitor = await subject.enter();
    const { page } = visitor;
    process.kill(pid, 'SIGSTOP');
    try {
      await openPage(page, '/instance');
      await page.getByText('not ready', { exact: true }).waitFor();
      await page.getByText('No response within 1000 ms.').waitFor();
      await page.getByText('Unknown while the notes service does not respond.').waitFor();
      expect(await page.getByText('ready', { exact: true }).count()).toBe(2);
    } finally {
      process.kill(pid, 'SIGCONT');
    }
    await page.getByText('not ready', { exact: true }).waitFor({ state: 'detached' });
  });

  it('is for administrators', async () => {
    const { system, world } = subject;
    const { baseUrl } = system;
    const account = { email: 'ines@example.org', password: memberPassword };
    const asBoard = system.as(await system.boardHeaders());
    await inviteMember(asBoard, world.acme, { baseUrl, email: account.email, role: 'owner' });
    visitor = await subject.enter(account);
    const { page } = visitor;
    await openPage(page, '/instance');
    await page.getByText('Administrators only').waitFor();
    expect(await page.getByRole('link', { name: 'Instance' }).count()).toBe(0);
  });
});
