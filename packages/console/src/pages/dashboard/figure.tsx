import { Paper, Text } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import { ErrorAlert } from '../../components/error-alert.tsx';
import { PartSkeleton } from '../../components/part-skeleton.tsx';
import classes from './figure.module.css';

type FigureProps<Data> = {
  readonly query: UseQueryResult<Data>;
  /** What is counted in the answer. */
  readonly count: (data: Data) => number | string;
  /** What is counted, as the link to where all of it is to be seen. */
  readonly children: React.ReactNode;
};

/** One number of the dashboard; all of it is a link to what it counts. */
export const Figure = <Data,>({ query, count, children }: FigureProps<Data>) => {
  if (query.data === undefined && query.isError) {
    return <ErrorAlert error={query.error} onRetry={() => void query.refetch()} />;
  }
  return (
    <Paper className={`panel ${classes['figure'] ?? ''}`} withBorder p="md">
      {query.data === undefined ? (
        <PartSkeleton height={34} width={48} />
      ) : (
        <Text fz={28} fw={650} lh={1.2}>
          {count(query.data)}
        </Text>
      )}
      {children}
    </Paper>
  );
};
