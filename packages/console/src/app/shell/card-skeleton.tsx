import { Box, Center, Skeleton } from '@mantine/core';

/** Placeholder of a page without navigation that is loading. As a `main` element it hides the frame painted before any script. */
export const CardSkeleton = () => (
  <Center component="main" mih="100dvh" p="md">
    <Box w="100%" maw={400} role="status" aria-label="Loading">
      <Skeleton height={36} mb="lg" />
      <Skeleton height={320} />
    </Box>
  </Center>
);
