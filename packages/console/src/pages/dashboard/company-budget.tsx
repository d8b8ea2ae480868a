import type { Schema } from '@commonplace/client';
import { useQuery } from '@tanstack/react-query';
import { allAgentsQuery } from '../../api/agent-queries.ts';
import { BudgetBar } from '../../components/budget-bar.tsx';
import { Section } from '../../components/section.tsx';

/** What all agents together spent and may spend; without a limit as soon as one of them has none. */
export const CompanyBudget = ({ companyId }: { readonly companyId: string }) => {
  const query = useQuery(allAgentsQuery(companyId));
  return (
    <Section title="Budget of the month" query={query}>
      {(agents) => <BudgetBar {...sumOf(agents)} />}
    </Section>
  );
};

const sumOf = (agents: readonly Schema<'Agent'>[]): React.ComponentProps<typeof BudgetBar> => {
  const living = agents.filter(({ status }) => status !== 'terminated');
  const limits = living.map(({ budget }) => budget.monthlyCents);
  const isLimited = limits.length > 0 && limits.every((limit) => limit !== null);
  return {
    spentCents: sum(agents.map(({ budget }) => budget.spentCents)),
    reservedCents: sum(agents.map(({ budget }) => budget.reservedCents)),
    limitCents: isLimited ? sum(limits.map((limit) => limit ?? 0)) : null,
  };
};

const sum = (values: readonly number[]): number =>
  values.reduce((total, value) => total + value, 0);
