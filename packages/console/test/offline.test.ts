import { describe, expect, it } from '@jest/globals';
import { openPage } from '../tools/wait-until-idle.ts';
import { acmeConsole } from './support/acme-console.ts';
import { expectNoAxeViolations } from './support/axe.ts';

const { at, enter } = acmeConsole();

describe('without a connection', () => {
  it('a click on a section that was never opened keeps the page and says so; later it opens', async () => {
    const page = await enter();
    await openPage(page, at('/agents'));
    await page.getByRole('textbox', { name: 'Search' }).fill('Ada');
    await page.waitForURL(/q=Ada/);
    await page.context().setOffline(true);
    await page.getByRole('link', { name: 'Activity', exact: true }).click();
    await page.getByText('You are offline, and that page was not opened before.').waitFor();
    await expectNoAxeViolations(page);
    await page.getByRole('heading', { name: 'Agents', level: 1 }).waitFor();
    expect(new URL(page.url()).pathname + new URL(page.url()).search).toBe(at('/agents?q=Ada'));
    expect(await page.getByRole('textbox', { name: 'Search' }).inputValue()).toBe('Ada');
    await page.context().setOffline(false);
    await page.getByRole('link', { name: 'Activity', exact: true }).click();
    await page.getByRole('heading', { name: 'Activity', level: 1 }).waitFor();
  });
});

describe('a machine that slept', () => {
  it('shows times that are right as soon as one is back at the page', async () => {
    const page = await enter();
    await openPage(page, at('/notes'));
    const time = page.locator('#main time:visible').first();
    await time.waitFor();
    expect(await time.innerText()).not.toContain('hours');
    await page.context().setOffline(true);
    await page.evaluate(() => {
      const awake = Date.now;
      Date.now = () => awake() + 8 * 3_600_000;
      window.dispatchEvent(new Event('focus'));
    });
    await time.filter({ hasText: '8 hours ago' }).waitFor({ timeout: 10_000 });
  });
});

describe('while the server cannot be reached', () => {
  it('a section that was never opened says so, and opens by itself afterwards', async () => {
    const page = await enter();
    await openPage(page, at('/agents'));
    await page.route('**/assets/**', (route) => route.abort());
    await page.getByRole('link', { name: 'Activity', exact: true }).click();
    await page.getByText('Commonplace is unreachable.').waitFor();
    await page.getByText('The page tries again by itself.').waitFor();
    await page.unroute('**/assets/**');
    await page.getByRole('heading', { name: 'Activity', level: 1 }).waitFor();
    expect(await page.getByRole('alert').count()).toBe(0);
  });
});
