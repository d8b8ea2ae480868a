import { afterEach, describe, expect, it } from '@jest/globals';
import { startOauthHost, type OauthHost } from '@commonplace/e2e/oauth-host';
import { acmeInFirefox } from './support/acme-in-firefox.ts';
import { field, hasFirefox, heading, written } from './support/firefox.ts';
import { board } from './support/start-console.ts';

const describeInFirefox = hasFirefox ? describe : describe.skip;

describeInFirefox('in Firefox, the consent to a connection', () => {
  const { opened, subject } = acmeInFirefox({ mode: 'authenticated' });
  let host: OauthHost;
  afterEach(() => host.stop());

  const begin = async (): Promise<void> => {
    host = await startOauthHost(`${subject().system.baseUrl}/connect/mcp`, 'Claude');
    await opened().page.goto(String(await host.begin()));
  };
  const consent = '::-p-xpath(//h1[starts-with(normalize-space(), "Connect 127.0.0.1")])';

  it('follows a sign-in, names the app and the operator, and leads back to the host', async () => {
    const { page, click, fill, seen } = opened();
    await begin();
    await seen(written('self::button', 'Sign in'));
    await fill('Email', board.email);
    await fill('Password', board.password);
    await click('Sign in');
    await seen(consent);
    await seen('::-p-text(Nobody has checked that name.)');
    await seen(`::-p-text(You are signed in as ${board.email}.)`);
    await page.locator(field('As the agent')).click();
    await page.locator(written('@role = "option"', 'a new agent: Claude')).click();
    await click('Connect');
    await seen(heading('Connected'));
    await host.finish();
    const client = await host.client();
    const saved = await client.callTool({ name: 'write_note', arguments: { title: 'By Claude' } });
    expect(saved.isError).toBeFalsy();
    expect(await host.referer()).toBeUndefined();
  });

  it('takes a refusal back to the host, and says afterwards that the request is over', async () => {
    const { page, click, seen } = opened();
    await begin();
    await seen(consent);
    const address = page.url();
    await click('Refuse');
    await seen(heading('Connected'));
    await expect(host.finish()).rejects.toThrow('access_denied');
    await page.goto(address);
    await seen('::-p-text(This request is over)');
  });
});
