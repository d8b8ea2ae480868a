import { Card, SimpleGrid, Text } from '@mantine/core';
import { useInfiniteQuery, useSuspenseQuery } from '@tanstack/react-query';
import { agentsQuery } from '../api/agent-queries.ts';
import { companyQuery } from '../api/company-queries.ts';
import { itemsOf } from '../api/pages.ts';
import { useCompanyId } from '../app/use-company-id.ts';
import { PageHeader } from '../components/page-header.tsx';

const states = ['active', 'paused', 'terminated'] as const;

/** The company at a glance. */
export const DashboardPage = () => {
  const companyId = useCompanyId();
  const { data: company } = useSuspenseQuery(companyQuery(companyId));
  const agents = itemsOf(useInfiniteQuery(agentsQuery(companyId)).data);
  return (
    <>
      <PageHeader title="Dashboard" description={company.name} />
      <SimpleGrid cols={{ base: 1, xs: 3 }}>
        {states.map((state) => (
          <Card key={state} className="panel" withBorder>
            <Text fz={28} fw={650}>
              {agents.filter(({ status }) => status === state).length}
            </Text>
            <Text c="dimmed">{`agents ${state}`}</Text>
          </Card>
        ))}
      </SimpleGrid>
    </>
  );
};
