import { Group, Text } from '@mantine/core';

type FactProps = {
  readonly name: string;
  /** The width of the names, the same for all of a list. */
  readonly width?: number;
  readonly children: React.ReactNode;
};

/** A name and what is there, in a list of facts. */
export const Fact = ({ name, width = 84, children }: FactProps) => (
  <Group gap="xs" align="baseline">
    <Text size="sm" c="dimmed" w={width}>
      {name}
    </Text>
    <Text size="sm" component="div" flex={1} miw={0} style={{ overflowWrap: 'anywhere' }}>
      {children}
    </Text>
  </Group>
);
