import { SimpleGrid, Stack } from '@mantine/core';
import { useSuspenseQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { companyQuery } from '../../api/company-queries.ts';
import { useCompanyId } from '../../api/use-company-id.ts';
import { PageHeader } from '../../components/page-header.tsx';
import { BeginHint } from './begin-hint.tsx';
import { CompanyBudget } from './company-budget.tsx';
import { Concerns } from './concerns.tsx';
import { Figures } from './figures.tsx';
import { LatestNotes } from './latest-notes.tsx';
import { LatestRuns } from './latest-runs.tsx';
import { RangePicker } from './range-picker.tsx';
import { daysOf, ranges, type RangeSearch } from './ranges.ts';
import { SectionsTogether } from './sections-together.tsx';
import { SpendingByAgent } from './spending-by-agent.tsx';
import { UsageByModel } from './usage-by-model.tsx';
import { useToday } from '../../components/use-today.ts';
import { NotesByDay, RunsByDay, SpendingByDay } from './usage-charts.tsx';

const route = getRouteApi('/signed-in/companies/$companyId/');

const zone = new Intl.DateTimeFormat().resolvedOptions().timeZone;

/** The overview of a company. Each section loads on its own and links to its page; they are shown together. */
export const DashboardPage = () => {
  const companyId = useCompanyId();
  const { range, from, to } = route.useSearch();
  const { data: company } = useSuspenseQuery(companyQuery(companyId));
  const search: RangeSearch = {
    range: ranges.find(({ value }) => value === range)?.value,
    from,
    to,
  };
  const todayMs = useToday();
  const days = daysOf(search, todayMs);
  return (
    <>
      <PageHeader
        title="Dashboard"
        description={
          <>
            <bdi>{company.name}</bdi> · times in {zone}
          </>
        }
      />
      <SectionsTogether key={companyId} companyId={companyId} todayMs={todayMs}>
        <Stack gap="lg">
          <BeginHint companyId={companyId} />
          <Concerns companyId={companyId} todayMs={todayMs} />
          <Figures companyId={companyId} todayMs={todayMs} />
          <SimpleGrid cols={{ base: 1, md: 2 }}>
            <LatestRuns companyId={companyId} title="Running now" status="running" />
            <LatestRuns companyId={companyId} title="Latest failures" status="failed" />
          </SimpleGrid>
          <RangePicker search={search} days={days} />
          <SimpleGrid cols={{ base: 1, lg: 2 }}>
            <SpendingByDay companyId={companyId} days={days} />
            <SpendingByAgent companyId={companyId} days={days} />
            <UsageByModel companyId={companyId} days={days} />
            <RunsByDay companyId={companyId} days={days} />
            <NotesByDay companyId={companyId} days={days} />
            <CompanyBudget companyId={companyId} />
            <LatestNotes companyId={companyId} />
          </SimpleGrid>
        </Stack>
      </SectionsTogether>
    </>
  );
};
