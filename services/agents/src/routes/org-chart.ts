import { getOrgChartContract } from '@commonplace/contracts/agents';
import type { CompanyId } from '@commonplace/contracts/core';
import { coalesceFresh } from '@commonplace/concurrency';
import { read } from '@commonplace/db';
import { defineRoute, matchesEtag, streamed } from '@commonplace/http';
import type { Deps } from '../deps.ts';
import { writeOrgChart } from '../present/org-chart.ts';
import { listOrgChart } from '../queries/reporting-lines.ts';

const cacheHeaders = {
  'Cache-Control': 'private, no-cache',
  Vary: 'Authorization, Cookie, X-Company-Id',
};

/**
 * Reads the org chart. Concurrent requests of a company share a read that began after them, in one slot of the
 * company.
 */
export const getOrgChartRoute = ({ db, limitLists }: Pick<Deps, 'db' | 'limitLists'>) => {
  const readChart = coalesceFresh(({ key: companyId }: { readonly key: CompanyId }) =>
    limitLists(companyId, async () => writeOrgChart(await read(db, companyId, listOrgChart))),
  );
  return defineRoute(getOrgChartContract, async ({ company, header, work }) => {
    const { etag, roots } = await readChart({ key: company.id });
    await work.recheck();
    const headers = { ...cacheHeaders, ETag: etag };
    if (matchesEtag(header('If-None-Match'), etag)) {
      return { status: 304 as const, headers };
    }
    const parts = async function* () {
      yield roots;
    };
    return {
      ...streamed(200, { list: 'roots', parts: parts(), rest: () => ({}) }),
      headers,
    };
  });
};
