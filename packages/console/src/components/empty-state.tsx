import { Stack, Text, ThemeIcon, Title } from '@mantine/core';
import type { Icon } from '@tabler/icons-react';

type EmptyStateProps = {
  readonly icon: Icon;
  readonly title: string;
  readonly children?: React.ReactNode;
  /** What to do about it: usually the button that makes the first one. */
  readonly action?: React.ReactNode;
  /** The whole page is empty: then the title is the page's. */
  readonly isPage?: boolean;
};

/** Stands where a list would be, says why there is none, and what to do about it. */
export const EmptyState = ({
  icon: Picture,
  title,
  children,
  action,
  isPage = false,
}: EmptyStateProps) => (
  <Stack align="center" gap="sm" py={56} px="md" ta="center">
    <ThemeIcon size={52} radius="xl" variant="light" aria-hidden>
      <Picture size={26} stroke={1.6} />
    </ThemeIcon>
    <Title order={isPage ? 1 : 2} size="h3">
      {title}
    </Title>
    {children && (
      <Text c="dimmed" maw={440}>
        {children}
      </Text>
    )}
    {action}
  </Stack>
);
