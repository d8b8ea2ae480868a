import { Progress, Stack, Text } from '@mantine/core';
import type { Schema } from '@commonplace/client';

type UndoRunningProps = {
  /** Undefined: not read yet. */
  readonly undo: Schema<'Undo'> | undefined;
  readonly verb: string;
};

/** The progress of an undo or of its dry run. */
export const UndoRunning = ({ undo, verb }: UndoRunningProps) => {
  const { done, total } = undo?.progress ?? { done: 0, total: 0 };
  const percent = total === 0 ? 0 : Math.floor((100 * done) / total);
  return (
    <Stack gap="xs">
      <Text size="sm">
        {total === 0 ? 'Looking for the notes it wrote.' : `${verb} ${done} of ${total} notes.`}
      </Text>
      <Progress value={percent} animated aria-label={verb} />
    </Stack>
  );
};
