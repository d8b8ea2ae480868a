import { Stack, Text } from '@mantine/core';
import type { Schema } from '@commonplace/client';
import { useQuery } from '@tanstack/react-query';
import { allAgentsQuery } from '../../api/agent-queries.ts';
import { useMoney } from '../../components/use-money.ts';
import { companyQuery } from '../../api/company-queries.ts';
import { BudgetBar, TokenBar } from '../../components/budget-bar.tsx';
import { Section } from '../../components/section.tsx';
import { monthlyLimit } from './monthly-limit.ts';

/**
 * Spending and budget of all agents that are not terminated; without a limit if one of them has none.
 * Spending of terminated agents counts against no limit and is displayed separately.
 */
export const CompanyBudget = ({ companyId }: { readonly companyId: string }) => {
  const query = useQuery(allAgentsQuery(companyId));
  return (
    <Section title="Monthly budget" query={query}>
      {(agents) => (
        <>
          <Text fw={600}>Budgets of the agents together</Text>
          <BudgetBar
            {...sumOf(agents.filter((agent) => !isTerminated(agent)))}
            noLimit="Not every agent has a limit"
          />
          <SpentByTerminated agents={agents.filter(isTerminated)} />
          <OwnBudget companyId={companyId} />
        </>
      )}
    </Section>
  );
};

type Agents = readonly Schema<'Agent'>[];

const isTerminated = ({ status }: Schema<'Agent'>): boolean => status === 'terminated';

const SpentByTerminated = ({ agents }: { readonly agents: Agents }) => {
  const { format } = useMoney();
  const cents = sum(agents.map(({ budget }) => budget.spentCents));
  return cents === 0 ? null : (
    <Text size="sm" c="dimmed">
      Terminated agents spent another {format(cents)}.
    </Text>
  );
};

/** The budget of the company itself, if it has one. */
const OwnBudget = ({ companyId }: { readonly companyId: string }) => {
  const { data: company } = useQuery({ ...companyQuery(companyId), refetchInterval: 60_000 });
  const budget = company?.budget;
  if (!budget || (budget.monthlyCents === null && budget.monthlyTokens === null)) {
    return null;
  }
  return (
    <Stack gap="xs" mt="md">
      <Text fw={600}>Budget of the company</Text>
      {budget.monthlyCents !== null && (
        <BudgetBar
          spentCents={budget.spentCents}
          reservedCents={budget.reservedCents}
          limitCents={budget.monthlyCents}
        />
      )}
      {budget.monthlyTokens !== null && (
        <TokenBar spentTokens={budget.spentTokens} limitTokens={budget.monthlyTokens} />
      )}
    </Stack>
  );
};

const sumOf = (agents: Agents): React.ComponentProps<typeof BudgetBar> => ({
  spentCents: sum(agents.map(({ budget }) => budget.spentCents)),
  reservedCents: sum(agents.map(({ budget }) => budget.reservedCents)),
  limitCents: monthlyLimit(agents),
});

const sum = (values: readonly number[]): number =>
  values.reduce((total, value) => total + value, 0);
