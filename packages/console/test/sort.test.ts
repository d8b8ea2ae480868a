import { describe, expect, it } from '@jest/globals';
import { acmeConsole } from './support/acme-console.ts';

const { at, board, enter } = acmeConsole();

describe('the columns of agents, keys, members and runs', () => {
  it('sort by a press, say so, and return to the order of the server', async () => {
    const api = `/api${at('/agents')}`;
    for (const [name, role] of [
      ['Zoe', 'author'],
      ['Yan', 'zookeeper'],
    ]) {
      expect((await board('POST', api, { body: { name, role } })).status).toBe(201);
    }
    const page = await enter();
    await page.goto(at('/agents'));
    const header = page.getByRole('columnheader', { name: 'Role' });
    const names = page.locator('tbody th a');
    await names.first().waitFor();
    const served = await names.allInnerTexts();
    const press = async (order: string, first = '') => {
      await header.getByRole('button').focus();
      await page.keyboard.press('Space');
      expect(await header.getAttribute('aria-sort')).toBe(order);
      // React renders the rows of a list after its head.
      await names.first().filter({ hasText: first }).waitFor();
      return names.allInnerTexts();
    };
    expect((await press('ascending', 'Zoe'))[0]).toBe('Zoe');
    expect((await press('descending', 'Yan'))[0]).toBe('Yan');
    expect(await press('none', served[0])).toEqual(served);
  });

  it.each([
    ['/members', 'Member since'],
    ['/runs', 'Cost'],
  ])('are sortable in %s', async (path, column) => {
    const page = await enter();
    await page.goto(at(path));
    const header = page.getByRole('columnheader', { name: column });
    await header.getByRole('button').click();
    expect(await header.getAttribute('aria-sort')).toBe('ascending');
  });
});
