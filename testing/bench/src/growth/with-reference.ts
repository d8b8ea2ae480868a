import { chmod, mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { withClient } from '../baselines/bare-tables.ts';
import { removeProduct, startProduct } from '../system/product.ts';
import { createEnvironment } from '../system/environment.ts';
import { fillCompany } from './fill.ts';
import { measureOperations, type Latencies } from './operations.ts';

/** Measures the reference product, which has one company of a fixed size. */
export type MeasureReference = (seconds: number) => Promise<Latencies>;

/**
 * Runs `work` beside a second product that does not grow. Alternating measurements there show the machine's
 * present speed.
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
      const { company } = await createEnvironment(product);
      return await withClient(product.databaseUrl, async (client) => {
        await fillCompany(client, company.companyId, { to: notes });
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
