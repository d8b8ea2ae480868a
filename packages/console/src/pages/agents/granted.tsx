import { Text } from '@mantine/core';
import type { Schema } from '@commonplace/client';
import { describeGrants } from './grant-choice.ts';

type GrantedProps = { readonly grants: Schema<'Agent'>['grants'] };

/** The folders that somebody is limited to, in a line of their own; nothing where all notes are reached. */
export const Granted = ({ grants }: GrantedProps) =>
  grants && (
    <Text size="sm" c="dimmed">
      {describeGrants(grants)}
    </Text>
  );
