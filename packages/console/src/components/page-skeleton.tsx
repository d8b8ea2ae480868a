import { Skeleton, Stack } from '@mantine/core';

/** Holds the place of a page that is being read. */
export const PageSkeleton = () => (
  <Stack gap="md" role="status" aria-label="Loading">
    <Skeleton height={32} width={220} />
    <Skeleton height={18} width="min(420px, 80%)" />
    <Skeleton height={160} mt="sm" />
    <Skeleton height={160} />
  </Stack>
);
