import { Skeleton, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { latestRunsQuery } from '../../api/run-queries.ts';
import { isSettled } from './query-outcome.ts';
import { useFigures } from './use-figures.ts';
import { useKnown } from './use-known.ts';

/** Longer than a server takes that has little to do; one that is slow shows what is there. */
const waitMaxMs = 1_000;

type SectionsTogetherProps = {
  readonly companyId: string;
  readonly todayMs: number;
  readonly children: React.ReactNode;
};

/**
 * Shows the sections of the dashboard once it is known which of the upper ones there are and how long they become, so that nothing
 * moves while one reads. They load meanwhile. Give it the company as its key.
 */
export const SectionsTogether = ({ companyId, todayMs, children }: SectionsTogetherProps) => {
  const isSettled = useIsSettled(companyId, todayMs);
  const [isShown, setIsShown] = useState(isSettled);
  // A later day or a failure hides nothing.
  if (isSettled && !isShown) {
    setIsShown(true);
  }
  useEffect(() => {
    const timer = setTimeout(() => setIsShown(true), waitMaxMs);
    return () => clearTimeout(timer);
  }, []);
  return (
    <>
      {!isShown && (
        <Stack gap="lg" role="status" aria-label="Loading">
          <Skeleton height={100} />
          <Skeleton height={94} />
          <Skeleton height={160} />
          <Skeleton height={300} />
        </Stack>
      )}
      <div hidden={!isShown}>{children}</div>
    </>
  );
};

/** Whether all is known that decides which of the upper sections there are, and their heights. */
const useIsSettled = (companyId: string, todayMs: number): boolean => {
  const known = useKnown(companyId, todayMs);
  const figures = useFigures(companyId, todayMs);
  const running = useQuery(latestRunsQuery(companyId, 'running'));
  return known.isSettled && isSettled(running) && figures.every(({ query }) => isSettled(query));
};
