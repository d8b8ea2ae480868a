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
