import { SimpleGrid } from '@mantine/core';
import { useSuspenseQuery } from '@tanstack/react-query';
import { companyQuery } from '../api/company-queries.ts';
import { useCompanyId } from '../app/use-company-id.ts';
import { PageHeader } from '../components/page-header.tsx';
import { CompanyBudget } from './dashboard/company-budget.tsx';
import { Figures } from './dashboard/figures.tsx';
import { LatestNotes } from './dashboard/latest-notes.tsx';

/** The overview of a company. Each section loads on its own and links to its page. */
export const DashboardPage = () => {
  const companyId = useCompanyId();
  const { data: company } = useSuspenseQuery(companyQuery(companyId));
  return (
    <>
      <PageHeader title="Dashboard" description={company.name} />
      <Figures companyId={companyId} />
      <SimpleGrid cols={{ base: 1, lg: 2 }}>
        <CompanyBudget companyId={companyId} />
        <LatestNotes companyId={companyId} />
      </SimpleGrid>
    </>
  );
};
