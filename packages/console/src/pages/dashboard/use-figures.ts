import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import type { LinkProps } from '@tanstack/react-router';
import { allAgentsQuery } from '../../api/agent-queries.ts';
import { companyQuery } from '../../api/company-queries.ts';
import { unresolvedConflictsQuery } from '../../api/dashboard-queries.ts';
import { runningRunsQuery } from '../../api/run-queries.ts';
import { usageQuery } from '../../api/usage-queries.ts';
import { useMoney } from '../../components/use-money.ts';
import { dayOf } from '../../api/days.ts';
import { utcDay } from '../../components/utc-day.ts';

/** A number of the dashboard. */
type ShownFigure = {
  readonly label: string;
  readonly query: Pick<
    UseQueryResult,
    'data' | 'error' | 'isError' | 'isLoading' | 'errorUpdateCount' | 'refetch'
  >;
  /** Undefined: not loaded. */
  readonly value: number | undefined;
  readonly text?: string | undefined;
  readonly link: Pick<LinkProps, 'to' | 'search'>;
};

const agentStates = ['active', 'paused', 'terminated'] as const;

/** The others have no access in an archived company, whatever their status. */
const terminated = ['terminated'] as const;

const plural = (count: number | undefined, noun: string): string =>
  count === 1 ? noun : `${noun}s`;

/** The numbers of the dashboard. */
export const useFigures = (companyId: string, todayMs: number): readonly ShownFigure[] => {
  const { format } = useMoney();
  const agents = useQuery(allAgentsQuery(companyId));
  const runs = useQuery(runningRunsQuery(companyId));
  const conflicts = useQuery(unresolvedConflictsQuery(companyId));
  const { data: company } = useQuery(companyQuery(companyId));
  const today = utcDay(todayMs);
  const usage = useQuery(usageQuery(companyId, { from: today, to: today }, 'day'));
  const spent = usage.data?.total.costCents;
  return [
    {
      label: plural(runs.data, 'running run'),
      query: runs,
      value: runs.data,
      link: { to: '/companies/$companyId/runs', search: { state: 'running' } },
    },
    {
      label: 'spent today',
      query: usage,
      value: spent,
      text: spent === undefined ? undefined : format(spent),
      // Spending is by days of UTC, and that page by days of the browser: the one in which today began.
      link: { to: '/companies/$companyId/runs', search: { from: dayOf(new Date(today)) } },
    },
    ...(company?.status === 'archived' ? terminated : agentStates).map((state) => {
      const value = agents.data?.filter(({ status }) => status === state).length;
      return {
        label: plural(value, `${state} agent`),
        query: agents,
        value,
        link: { to: '/companies/$companyId/agents', search: { status: state } } as const,
      };
    }),
    {
      label: plural(conflicts.data?.items.length, 'unresolved conflict'),
      query: conflicts,
      value: conflicts.data?.items.length,
      text:
        conflicts.data && `${conflicts.data.items.length}${conflicts.data.nextCursor ? '+' : ''}`,
      link: { to: '/companies/$companyId/notes', search: { show: 'conflicts' } },
    },
  ];
};
