import { Stack, Text, ThemeIcon, Title } from '@mantine/core';
import type { Icon } from '@tabler/icons-react';
import { usePageTitle } from './use-page-title.ts';

type EmptyStateProps = {
  readonly icon: Icon;
  readonly title: string;
  readonly children?: React.ReactNode;
  /** Usually the button that creates the first item. */
  readonly action?: React.ReactNode;
  /** Whether it replaces the whole page; its title is that of the page then. */
  readonly isPage?: boolean;
};

/** Replaces an empty list: says why it is empty and what to do. */
export const EmptyState = ({
  icon: StateIcon,
  title,
  children,
  action,
  isPage = false,
}: EmptyStateProps) => (
  <Stack align="center" gap="sm" py={56} px="md" ta="center">
    <ThemeIcon size={52} radius="xl" variant="light" aria-hidden>
      <StateIcon size={26} stroke={1.6} />
    </ThemeIcon>
    <Title order={isPage ? 1 : 2} size="h3">
      {title}
    </Title>
    {isPage && <PageTitle title={title} />}
    {children && (
      <Text c="dimmed" maw={440}>
        {children}
      </Text>
    )}
    {action}
  </Stack>
);

const PageTitle = ({ title }: { readonly title: string }) => {
  usePageTitle(title);
  return null;
};
