import { randomUUID } from 'node:crypto';
import { expect, it } from '@jest/globals';
import { must } from '../tools/must.ts';
import { openPage } from '../tools/wait-until-idle.ts';
import { acmeConsole } from './support/acme-console.ts';
import { expectNoAxeViolations } from './support/axe.ts';
import { makeProposer } from './support/proposer.ts';

const { at, agent, board, baseUrl, enter } = acmeConsole();

const pixel = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==',
  'base64',
);

it('images of this server are shown, and those of others once the operator chose them', async () => {
  const content = [
    '![ours](/favicon.svg)',
    '![theirs](https://images.example.org/p.png)',
    '![no image](/api/auth/session)',
    '![of the API](/api/notes/x.png)',
    '![insecure](http://images.example.org/p.png)',
  ].join('\n\n');
  const id = randomUUID();
  await must(agent, `PUT /api/notes/${id}`, { title: 'Pictures', content });
  const page = await enter();
  const loaded: string[] = [];
  await page.route('**://images.example.org/**', (route) => {
    loaded.push(`${route.request().url()} ${route.request().headers()['referer'] ?? 'no referer'}`);
    return route.fulfill({ contentType: 'image/png', body: pixel });
  });
  await openPage(page, at(`/notes/${id}`));
  const main = page.getByRole('main');
  await main.getByRole('img', { name: 'ours' }).waitFor();
  for (const name of ['theirs', 'no image', 'of the API', 'insecure']) {
    await main.getByRole('link', { name, exact: true }).waitFor();
  }
  expect(loaded).toEqual([]);
  await openPage(page, '/account');
  await page.getByRole('switch', { name: 'Show images from other servers' }).click();
  await page.waitForFunction(() => document.cookie.includes('commonplace_images=all'));
  await page
    .getByRole('switch', { name: 'Show images from other servers', checked: true })
    .waitFor();
  await expectNoAxeViolations(page);
  await openPage(page, at(`/notes/${id}`));
  await main.getByRole('img', { name: 'theirs' }).waitFor();
  expect(loaded).toEqual(['https://images.example.org/p.png no referer']);
  expect(await main.getByRole('img').count()).toBe(2);
  await main.getByRole('link', { name: 'insecure', exact: true }).waitFor();
  await openPage(page, '/account');
  await page.getByRole('switch', { name: 'Show images from other servers' }).click();
  await page.waitForFunction(() => !document.cookie.includes('commonplace_images'));
  await openPage(page, at(`/notes/${id}`));
  await main.getByRole('link', { name: 'theirs', exact: true }).waitFor();
  expect(loaded).toHaveLength(1);
});

it('images of other servers are never loaded from a proposal', async () => {
  const by = await makeProposer(board, { baseUrl: baseUrl(), company: at(''), name: 'Painter' });
  const content = '![ours](/favicon.svg)\n\n![theirs](https://images.example.org/p.png)\n';
  await by.create('Proposed pictures', content);
  const page = await enter();
  const loaded: string[] = [];
  await page.route('**://images.example.org/**', (route) => {
    loaded.push(route.request().url());
    return route.fulfill({ contentType: 'image/png', body: pixel });
  });
  await openPage(page, '/account');
  const shown = page.getByRole('switch', { name: 'Show images from other servers' });
  await shown.click();
  await page.waitForFunction(() => document.cookie.includes('commonplace_images=all'));
  await openPage(page, at(`/proposals?agent=${by.id}`));
  const whole = page.getByRole('region', { name: 'The proposed text' });
  await whole.getByRole('img', { name: 'ours' }).waitFor();
  await whole.getByRole('link', { name: 'theirs', exact: true }).waitFor();
  expect(await whole.getByRole('img').count()).toBe(1);
  expect(loaded).toEqual([]);
});
