import { Box, Group, Paper, Stack, ThemeIcon, Title, VisuallyHidden } from '@mantine/core';
import { IconCheck } from '@tabler/icons-react';

type StepProps = {
  readonly number: number;
  readonly title: string;
  readonly isDone: boolean;
  readonly children: React.ReactNode;
};

/** One step of the checklist. */
export const Step = ({ number, title, isDone, children }: StepProps) => (
  <Paper component="li" className="panel" withBorder p="lg">
    <Group align="flex-start" wrap="nowrap">
      <ThemeIcon radius="xl" size={30} variant={isDone ? 'filled' : 'light'} aria-hidden>
        {isDone ? <IconCheck size={18} /> : number}
      </ThemeIcon>
      <Stack flex={1} miw={0} gap="sm">
        <Title order={2} size="h3" mt={2} className="any-script">
          {title}
          <VisuallyHidden>{isDone ? ' (done)' : ' (to do)'}</VisuallyHidden>
        </Title>
        <Box>{children}</Box>
      </Stack>
    </Group>
  </Paper>
);
