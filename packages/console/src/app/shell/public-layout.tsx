import { Box, Center, Group, Paper, Stack, Text, Title } from '@mantine/core';
import { Logo } from '../../components/logo.tsx';
import { usePageTitle } from '../../components/use-page-title.ts';

type PublicLayoutProps = {
  readonly title: string;
  readonly text?: React.ReactNode;
  readonly children: React.ReactNode;
};

/** The layout of pages without a session: one centered card. */
export const PublicLayout = ({ title, text, children }: PublicLayoutProps) => {
  usePageTitle(title);
  return (
    <Center component="main" mih="100dvh" p="md">
      <Box w="100%" maw={400}>
        <Group justify="center" gap="sm" mb="lg">
          <Logo size={36} />
          <Text fz={22} fw={650}>
            Commonplace
          </Text>
        </Group>
        <Paper className="panel" withBorder shadow="sm" p="xl" radius="lg">
          <Stack gap="md">
            <div>
              <Title order={1} size="h2" style={{ overflowWrap: 'anywhere' }}>
                {title}
              </Title>
              {text !== undefined && (
                <Text c="dimmed" size="sm" mt={4}>
                  {text}
                </Text>
              )}
            </div>
            {children}
          </Stack>
        </Paper>
      </Box>
    </Center>
  );
};
