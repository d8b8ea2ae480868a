import { Skeleton } from '@mantine/core';

type PartSkeletonProps = { readonly height?: number; readonly width?: number };

/** Holds the place of a part of a page that is being read. */
export const PartSkeleton = ({ height = 72, width }: PartSkeletonProps) => (
  <Skeleton
    height={height}
    {...(width === undefined ? {} : { width })}
    role="status"
    aria-label="Loading"
  />
);
