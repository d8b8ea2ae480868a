import { describe, expect, it } from '@jest/globals';
import { acmeConsole } from './support/acme-console.ts';

const { at, board, enter } = acmeConsole();

/** An operator of more has to name the company of every agent, key and run. */
const companiesListed = 100;

type Item = { readonly id: string };

describe('an operator of more than 100 companies', () => {
  it('opens an agent and its keys, gives it another one, and pauses it', async () => {
    for (let count = 0; count < companiesListed; count += 1) {
      const { status } = await board('POST', '/api/companies', { body: { name: `Co ${count}` } });
      expect(status).toBe(201);
    }
    const { body } = await board('GET', `/api${at('/agents')}`);
    const [agent] = (body as { items: Item[] }).items;
    const page = await enter();
    await page.goto(at(`/agents/${agent?.id ?? ''}?tab=keys`));
    await page.getByRole('button', { name: 'New key' }).click();
    await page.getByRole('dialog').getByLabel('Name').first().fill('spare');
    await page.getByRole('button', { name: 'Create key' }).click();
    await page.getByText('cpk_').first().waitFor();
    await page.getByRole('button', { name: 'I have stored the key' }).click();
    await page.getByRole('rowheader', { name: 'spare' }).first().waitFor();
    await page.getByRole('button', { name: 'Pause', exact: true }).click();
    await page.getByRole('button', { name: /^Pause and cancel/ }).click();
    await page.getByRole('button', { name: 'Resume', exact: true }).waitFor();
    const other = await board('POST', '/api/companies', { body: { name: 'Elsewhere' } });
    await page.goto(`/companies/${(other.body as Item).id}/agents/${agent?.id ?? ''}`);
    await page.getByText('The entity belongs to another company').waitFor();
    expect(page.url()).toContain((other.body as Item).id);
  });
});
