import type { CitusCluster } from '@commonplace/testkit/citus';
import { createApi } from '../call-api.ts';
import { makeCompanyKey, type CompanyKey } from '../world.ts';

/** A company with a key, and the port of the node that holds it. */
export type PlacedCompany = CompanyKey & { readonly port: number };

const companiesMax = 50;

/** Creates companies until each worker holds as many as wanted, and returns so many of each. */
export const makeCompaniesOnEachNode = async (
  cluster: Pick<CitusCluster, 'sql' | 'workers'>,
  baseUrl: string,
  wanted: number,
): Promise<PlacedCompany[]> => {
  const operator = createApi({ baseUrl });
  const made: PlacedCompany[] = [];
  const on = (port: number) => made.filter((company) => company.port === port).slice(0, wanted);
  while (cluster.workers.some(({ port }) => on(port).length < wanted)) {
    if (made.length === companiesMax) {
      throw new Error(`${companiesMax} companies are not on every node`);
    }
    const company = await makeCompanyKey(operator, `Company ${made.length}`);
    made.push({ ...company, port: await portOf(cluster, company.companyId) });
  }
  return cluster.workers.flatMap(({ port }) => on(port));
};

/** The port of the node that holds a company. */
export const portOf = async (
  { sql }: Pick<CitusCluster, 'sql'>,
  companyId: string,
): Promise<number> => {
  const [row] = await sql(
    `select nodeport from pg_dist_shard_placement
     where shardid = get_shard_id_for_distribution_column('agents.companies', $1::uuid)`,
    [companyId],
  );
  return Number(row?.['nodeport']);
};
