import { Paper, Stack } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import { FailedLoad } from './failed-load.tsx';
import { SectionSkeleton } from './skeletons.tsx';
import { SectionTitle } from './section-title.tsx';

type SectionProps<Data> = {
  readonly title: string;
  readonly query: UseQueryResult<Data>;
  readonly children: (data: Data) => React.ReactNode;
};

/** A part of a page with a query of its own, including its loading and error states. */
export const Section = <Data,>({ title, query, children }: SectionProps<Data>) => (
  <Paper className="panel" withBorder p="lg">
    <Stack>
      <SectionTitle>{title}</SectionTitle>
      <FailedLoad query={query} />
      {query.isPending && <SectionSkeleton />}
      {query.data !== undefined && children(query.data)}
    </Stack>
  </Paper>
);
