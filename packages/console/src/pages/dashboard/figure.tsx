import { Paper, Text } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import { useState } from 'react';
import { FailedLoad } from '../../components/failed-load.tsx';
import { SectionSkeleton } from '../../components/skeletons.tsx';
import classes from './figure.module.css';

type FigureProps = {
  readonly query: Pick<UseQueryResult, 'data' | 'error' | 'isError' | 'refetch'>;
  /** Undefined: not loaded. */
  readonly text: number | string | undefined;
  /** The label, as a link to the full list. */
  readonly children: React.ReactNode;
};

/** One number of the dashboard; the whole panel is a link to the full list. */
export const Figure = ({ query, text, children }: FigureProps) => {
  const [error, setError] = useState<Error | null>(null);
  if (query.isError && query.error !== error) {
    setError(query.error);
  }
  // It stays while another attempt is made, so that nothing moves.
  if (query.data === undefined && error !== null) {
    return <FailedLoad query={{ data: query.data, error, refetch: query.refetch }} />;
  }
  return (
    <Paper className={`panel ${classes['figure'] ?? ''}`} withBorder p="md">
      {text === undefined ? (
        <SectionSkeleton height={34} width={48} />
      ) : (
        // The link says it, too.
        <Text aria-hidden fz="clamp(1.125rem, 1.6vw, 1.75rem)" fw={650} lh={1.4}>
          {text}
        </Text>
      )}
      {children}
    </Paper>
  );
};
