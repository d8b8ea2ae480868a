import type { Schema } from '@commonplace/client';
import { useQuery } from '@tanstack/react-query';
import { allAgentsQuery } from '../../api/agent-queries.ts';
import { companyQuery } from '../../api/company-queries.ts';
import {
  expiredKeysQuery,
  expiringConnectionsQuery,
  expiringKeysQuery,
} from '../../api/credential-queries.ts';
import { unresolvedConflictsQuery } from '../../api/dashboard-queries.ts';
import { instanceQuery } from '../../api/instance-queries.ts';
import { openProposalsQuery } from '../../api/open-proposals-query.ts';
import { latestRunsQuery } from '../../api/run-queries.ts';
import { useCan } from '../../app/session/use-can.ts';
import type { Expiring, Known } from './find-concerns.ts';
import { hasFailed, isSettled } from './query-outcome.ts';

type KnownSoFar = {
  readonly known: Known;
  /** What could not be loaded, in words. */
  readonly missing: readonly string[];
  readonly isSettled: boolean;
};

/** How long what is found stays without another look: a dashboard may be open all day. The pages of these refresh more often. */
const watched = { refetchInterval: 60_000 } as const;

/** What the dashboard knows of what needs a person, what it could not find out, and whether it has tried all. */
export const useKnown = (companyId: string, todayMs: number): KnownSoFar => {
  const can = useCan();
  const keys = useQuery({ ...expiringKeysQuery(companyId, todayMs), ...watched });
  const connections = useQuery({ ...expiringConnectionsQuery(companyId, todayMs), ...watched });
  const expired = useQuery(expiredKeysQuery(companyId));
  const instance = useQuery({ ...instanceQuery, enabled: can.administrate, ...watched });
  const company = useQuery({ ...companyQuery(companyId), ...watched });
  const agents = useQuery({ ...allAgentsQuery(companyId), ...watched });
  const failed = useQuery({ ...latestRunsQuery(companyId, 'failed'), ...watched });
  const conflicts = useQuery({ ...unresolvedConflictsQuery(companyId), ...watched });
  const proposals = useQuery(openProposalsQuery(companyId));
  const queries = [
    ['agents', agents],
    ['keys', keys],
    ['keys', expired],
    ['connections', connections],
    ['the budget of the company', company],
    ['failed runs', failed],
    ['conflicts', conflicts],
    ['proposals', proposals],
    ['the instance', instance],
  ] as const;
  return {
    known: {
      company: company.data,
      agents: agents.data,
      failed: failed.data?.items,
      conflicts: conflicts.data?.items,
      proposals: proposals.data,
      expiring: [
        ...(keys.data ?? []).flatMap((key) => toExpiring(key, key.name)),
        ...(connections.data ?? []).flatMap((each) => toExpiring(each, each.client.name)),
      ],
      expired: expired.data?.flatMap((key) => toExpiring(key, key.name)),
      findings: instance.data?.findings,
      lastBackupAt: instance.data?.backup?.finishedAt,
    },
    missing: [...new Set(queries.flatMap(([name, query]) => (hasFailed(query) ? [name] : [])))],
    isSettled: queries.every(([, query]) => isSettled(query)),
  };
};

type Credential = Pick<Schema<'ApiKey'>, 'id' | 'agentId' | 'expiresAt'> & {
  readonly replacedBy?: string | null;
};

/** What a rotation replaced is meant to end. */
const toExpiring = (
  { id, agentId, expiresAt, replacedBy = null }: Credential,
  name: string,
): readonly Expiring[] =>
  expiresAt === null || replacedBy !== null ? [] : [{ id, name, agentId, expiresAt }];
