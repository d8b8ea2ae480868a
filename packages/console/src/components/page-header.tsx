import { Group, Stack, Text, Title } from '@mantine/core';
import { usePageTitle } from './use-page-title.ts';

type PageHeaderProps = {
  readonly title: string;
  readonly description?: React.ReactNode;
  /** Whether the page has a text in the script of its title: then the title begins at the side of that text. */
  readonly isOfText?: boolean;
  /** The buttons of the page. */
  readonly actions?: React.ReactNode;
};

/** The heading of every page; also sets the document title. */
export const PageHeader = ({ title, description, isOfText, actions }: PageHeaderProps) => {
  usePageTitle(title);
  return (
    <Group justify="space-between" align="flex-start" mb="lg" gap="md">
      <Stack gap={4} {...(isOfText ? { dir: 'auto', className: 'header-of-text' } : {})}>
        <Title order={1} className="any-script">
          {title}
        </Title>
        {description !== undefined && (
          <Text c="dimmed" className="any-script">
            {description}
          </Text>
        )}
      </Stack>
      {actions !== undefined && <Group gap="sm">{actions}</Group>}
    </Group>
  );
};
