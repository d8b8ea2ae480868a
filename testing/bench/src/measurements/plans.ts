import { addCompanies, fillCompany } from '../growth/fill.ts';
import { sizesOf } from '../growth/sizes-of.ts';
import { writePlans } from '../growth/write-plans.ts';
import { withClient } from '../limits/bare-tables.ts';
import type { Measurement } from '../measurement.ts';

/**
 * The plans of hot statements by themselves, in as large a company, and among as many, as `growth` ends with. It
 * gives no figures.
 */
export const plans: Measurement = {
  name: 'plans',
  measure: ({ effort, product, world, log }) =>
    withClient(product.databaseUrl, async (client) => {
      const company = await world.makeCompany('Large');
      const sizes = sizesOf({ effort });
      const [notes, companies] = [Math.max(...sizes.notes), Math.max(...sizes.companies)];
      log(`plans: ${notes} notes, ${companies} companies`);
      await addCompanies(client, companies);
      await fillCompany(client, company.companyId, notes);
      await client.query('vacuum analyze');
      await writePlans(product, client, company);
      return [];
    }),
};
