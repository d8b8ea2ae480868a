import { addCompanies, fillCompany, sizesOf } from '../growth/fill.ts';
import { writePlans } from '../growth/write-plans.ts';
import { withClient } from '../baselines/bare-tables.ts';
import type { Measurement } from '../measurement.ts';

/**
 * Writes only the plans of hot statements, at the largest sizes of `growth`. It
 * returns no rows.
 */
export const plans: Measurement = {
  name: 'plans',
  measure: ({ profile, product, environment, log }) =>
    withClient(product.databaseUrl, async (client) => {
      const company = await environment.makeCompany('Large');
      const sizes = sizesOf({ profile });
      const [notes, companies] = [Math.max(...sizes.notes), Math.max(...sizes.companies)];
      log(`plans: ${notes} notes, ${companies} companies`);
      await addCompanies(client, companies);
      await fillCompany(client, company.companyId, { to: notes, links: { each: 10 } });
      await client.query('vacuum analyze');
      await writePlans(product, client, company);
      return [];
    }),
};
