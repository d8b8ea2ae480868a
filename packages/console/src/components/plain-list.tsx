import { Stack, type StackProps } from '@mantine/core';

type PlainListProps = Pick<StackProps, 'gap' | 'children'>;

/** A list without marks, whose children are `li`. Safari takes one without marks for no list unless it has the role. */
export const PlainList = (props: PlainListProps) => (
  <Stack component="ul" role="list" gap="xs" m={0} p={0} style={{ listStyle: 'none' }} {...props} />
);
