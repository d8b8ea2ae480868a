import { Paper, Stack, Title } from '@mantine/core';

type PanelProps = { readonly title: string; readonly children: React.ReactNode };

/** A part of a page with a heading. */
export const Panel = ({ title, children }: PanelProps) => (
  <Paper className="panel" withBorder p="lg">
    <Stack gap="xs">
      <Title order={2} size="h3">
        {title}
      </Title>
      {children}
    </Stack>
  </Paper>
);
