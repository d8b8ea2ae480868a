import { Paper, Stack } from '@mantine/core';
import { SectionTitle } from './section-title.tsx';

type PanelProps = { readonly title: string; readonly children: React.ReactNode };

/** A part of a page with a heading. */
export const Panel = ({ title, children }: PanelProps) => (
  <Paper className="panel" withBorder p="lg">
    <Stack gap="xs">
      <SectionTitle>{title}</SectionTitle>
      {children}
    </Stack>
  </Paper>
);
