import { Skeleton, Stack } from '@mantine/core';

/** Placeholder of a page that is loading. */
export const PageSkeleton = () => (
  <Stack gap="md" role="status" aria-label="Loading" className="page-skeleton">
    <Skeleton height={32} width={220} />
    <Skeleton height={18} width="min(420px, 80%)" />
    <Skeleton height={160} mt="sm" />
    <Skeleton height={160} />
  </Stack>
);

/** Placeholder of a list that is loading. */
export const ListSkeleton = () => (
  <Stack gap="sm" role="status" aria-label="Loading">
    <Skeleton height={44} />
    <Skeleton height={44} />
    <Skeleton height={44} />
    <Skeleton height={44} />
  </Stack>
);

type SectionSkeletonProps = { readonly height?: number; readonly width?: number };

/** Placeholder of a section that is loading. */
export const SectionSkeleton = ({ height = 72, width }: SectionSkeletonProps) => (
  <Skeleton
    height={height}
    {...(width === undefined ? {} : { width })}
    role="status"
    aria-label="Loading"
  />
);
