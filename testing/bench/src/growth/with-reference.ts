import { chmod, mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { withClient } from '../limits/bare-tables.ts';
import { removeProduct, startProduct } from '../system/product.ts';
import { makeWorld } from '../system/world.ts';
import { fillCompany } from './fill.ts';
import { measureOperations, type Latencies } from './operations.ts';

/** Measures in a product with nothing in it but one company of so many notes. */
export type MeasureReference = (seconds: number) => Promise<Latencies>;

/**
 * Runs `work` beside another product that does not grow: what is measured there in turn says what the machine
 * gives at that moment.
 */
export const withReference = async <Result>(
  notes: number,
  work: (measure: MeasureReference) => Promise<Result>,
): Promise<Result> => {
  const dataDir = await mkdtemp(join(tmpdir(), 'commonplace-reference-'));
  await chmod(dataDir, 0o711);
  try {
    const product = await startProduct(dataDir);
    try {
      const { company } = await makeWorld(product);
      return await withClient(product.databaseUrl, async (client) => {
        await fillCompany(client, company.companyId, notes);
        await client.query('vacuum analyze');
        return work((seconds) => measureOperations({ url: product.url, client, company, seconds }));
      });
    } finally {
      await product.stop();
    }
  } finally {
    await removeProduct(dataDir);
  }
};
