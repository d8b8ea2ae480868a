import { bearer, type CompanyWorld } from '@commonplace/e2e';
import { withClient } from '../baselines/bare-tables.ts';
import { fillCompany } from '../growth/fill.ts';
import type { Bench } from '../measurement.ts';
import type { Product } from './product.ts';
import { retryingApi } from './retrying-api.ts';

/** A company whose notes all link to one title, and the id of the note with that title. */
export type LinkedCompany = CompanyWorld & { readonly linkedId: string };

/** Its notes. */
export const linking = 100_000;
export const linkedTitle = 'Plan';

const made = new WeakMap<Product, Promise<LinkedCompany>>();

/** The company of 100,000 notes of a product. Several measurements use it, because to fill it takes long. */
export const linkedCompany = (bench: Pick<Bench, 'product' | 'environment'>) => {
  const company = made.get(bench.product) ?? makeLinkedCompany(bench);
  made.set(bench.product, company);
  return company;
};

const makeLinkedCompany = async ({
  product,
  environment,
}: Pick<Bench, 'product' | 'environment'>): Promise<LinkedCompany> => {
  const company = await environment.makeCompany('Linked');
  const api = retryingApi({ baseUrl: product.url, headers: bearer(company.key) });
  const created = await api('POST', '/api/notes', { body: { title: linkedTitle } });
  const { id: linkedId } = created.body as { readonly id: string };
  await withClient(product.databaseUrl, async (client) => {
    await fillCompany(client, company.companyId, { to: linking, links: { title: linkedTitle } });
    await client.query('vacuum analyze');
  });
  return { ...company, linkedId };
};
