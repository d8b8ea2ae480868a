import { Text } from '@mantine/core';
import type { Schema } from '@commonplace/client';
import { useQuery } from '@tanstack/react-query';
import { allAgentsQuery } from '../../api/agent-queries.ts';
import { BudgetBar } from '../../components/budget-bar.tsx';
import { formatCents } from '../../components/format-cents.ts';
import { Section } from '../../components/section.tsx';

/**
 * What the agents that are not terminated spent together, and may spend; without a limit as soon as one
 * of them has none. What terminated ones spent counts against no limit any more, and is said by itself.
 */
export const CompanyBudget = ({ companyId }: { readonly companyId: string }) => {
  const query = useQuery(allAgentsQuery(companyId));
  return (
    <Section title="Budget of the month" query={query}>
      {(agents) => (
        <>
          <BudgetBar {...sumOf(agents.filter(isLiving))} />
          <SpentByTerminated agents={agents.filter((agent) => !isLiving(agent))} />
        </>
      )}
    </Section>
  );
};

type Agents = readonly Schema<'Agent'>[];

const isLiving = ({ status }: Schema<'Agent'>): boolean => status !== 'terminated';

const SpentByTerminated = ({ agents }: { readonly agents: Agents }) => {
  const cents = sum(agents.map(({ budget }) => budget.spentCents));
  return cents === 0 ? null : (
    <Text size="sm" c="dimmed">
      {formatCents(cents)} more were spent by agents that are terminated now.
    </Text>
  );
};

const sumOf = (agents: Agents): React.ComponentProps<typeof BudgetBar> => {
  const limits = agents.map(({ budget }) => budget.monthlyCents);
  const isLimited = limits.length > 0 && limits.every((limit) => limit !== null);
  return {
    spentCents: sum(agents.map(({ budget }) => budget.spentCents)),
    reservedCents: sum(agents.map(({ budget }) => budget.reservedCents)),
    limitCents: isLimited ? sum(limits.map((limit) => limit ?? 0)) : null,
  };
};

const sum = (values: readonly number[]): number =>
  values.reduce((total, value) => total + value, 0);
