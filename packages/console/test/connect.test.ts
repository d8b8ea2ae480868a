import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { startOauthHost, type OauthHost } from '@commonplace/e2e/oauth-host';
import { expectNoAxeViolations } from './support/axe.ts';
import type { Visitor } from './support/browser.ts';
import { fillLogin } from './support/sign-in.ts';
import { board, startConsole, type ConsoleUnderTest } from './support/start-console.ts';
import { expectLargeTargets } from './support/targets.ts';

let subject: ConsoleUnderTest;
let host: OauthHost;
let visitor: Visitor;
beforeAll(async () => {
  subject = await startConsole({ mode: 'authenticated' });
}, 120_000);
afterEach(async () => {
  await visitor.close();
  await host.stop();
});
afterAll(() => subject.stop());

const startHost = () => startOauthHost(`${subject.system.baseUrl}/connect/mcp`, 'Claude');

type Page = Visitor['page'];

/** The company that has a connection. */
const connectedCompany = async (page: Page): Promise<string> => {
  const read = async (path: string) =>
    (await (await page.request.get(subject.system.baseUrl + path)).json()) as {
      readonly items: readonly { readonly id: string }[];
    };
  for (const { id } of (await read('/api/companies')).items) {
    if ((await read(`/api/companies/${id}/connections`)).items.length > 0) {
      return id;
    }
  }
  throw new Error('No company has a connection');
};

const revokeInSettings = async (page: Page): Promise<void> => {
  await page.goto(`/companies/${await connectedCompany(page)}/settings`);
  await page.getByRole('cell', { name: 'notes:read, notes:write' }).waitFor();
  await expectNoAxeViolations(page);
  await page.getByRole('button', { name: 'Revoke the connection of Claude' }).click();
  await page.getByRole('button', { name: 'Revoke connection' }).click();
  await page.getByRole('cell', { name: 'revoked' }).waitFor();
  expect(await page.getByRole('button', { name: /^Revoke the connection/ }).count()).toBe(0);
};

describe('connecting a host', () => {
  it('leads from its address over signing in and the consent back to the host', async () => {
    host = await startHost();
    visitor = await subject.visit();
    const { page } = visitor;
    await page.goto(String(await host.begin()));
    await page.waitForURL('**/login?next=*');
    await fillLogin(page, board);
    await page.getByRole('heading', { name: /^Connect 127\.0\.0\.1/ }).waitFor();
    await page.getByText('Nobody has checked that name.').waitFor();
    await page.getByText('An app on this computer').waitFor();
    await expectNoAxeViolations(page);
    await page.getByRole('button', { name: 'Connect', exact: true }).click();
    await page.getByRole('heading', { name: 'Connected' }).waitFor();
    await host.finish();
    expect(host.tokens()).toMatchObject({ token_type: 'Bearer', scope: 'notes:read notes:write' });
    const client = await host.client();
    const written = await client.callTool({
      name: 'write_note',
      arguments: { title: 'By Claude' },
    });
    expect(written.isError).toBeFalsy();
    const { access_token: token = '' } = host.tokens() ?? {};
    expect(subject.system.output()).not.toContain(token);
    await revokeInSettings(page);
  });

  it('sends a refusal back to the host, and says so when the request is over', async () => {
    host = await startHost();
    visitor = await subject.enter(board, { viewport: { width: 360, height: 740 } });
    const { page } = visitor;
    await page.goto(String(await host.begin()));
    await page.getByRole('heading', { name: /^Connect 127/ }).waitFor();
    await expectLargeTargets(page);
    const address = page.url();
    await page.getByRole('button', { name: 'Refuse' }).click();
    await page.getByRole('heading', { name: 'Connected' }).waitFor();
    await expect(host.finish()).rejects.toThrow('access_denied');
    await page.goto(address);
    await page.getByText('This request is over').waitFor();
    await expectNoAxeViolations(page);
  });
});
