import { Alert, Button, Group, SimpleGrid, Stack, Text, Textarea, Title } from '@mantine/core';
import type { Schema } from '@commonplace/client';
import { useState } from 'react';
import { useLeaveGuard } from '../../../app/use-leave-guard.ts';
import { ActorName } from '../../../components/actor-name.tsx';
import { ErrorAlert } from '../../../components/error-alert.tsx';
import { RelativeTime } from '../../../components/relative-time.tsx';
import { LineDiff } from '../diff/line-diff.tsx';
import { changedFields, textOf, type NoteText } from '../note-text.ts';

type EditConflictProps = {
  /** The revision both sides edited. */
  readonly base: Schema<'NoteData'>;
  readonly theirs: Schema<'NoteData'>;
  readonly mine: NoteText;
  /** The error of the last attempt to save, if any. */
  readonly error: unknown;
  readonly isPending: boolean;
  readonly onKeepMine: () => void;
  readonly onTakeTheirs: () => void;
  readonly onEditOn: (content: string) => void;
};

/** Another writer saved first: displays both changes side by side, and the ways to continue. */
export const EditConflict = (props: EditConflictProps) => {
  const { base, theirs, mine, error, isPending, onKeepMine, onTakeTheirs, onEditOn } = props;
  const [merged, setMerged] = useState(mine.content);
  useLeaveGuard(() => true);
  const others = changedFields(textOf(base), textOf(theirs)).filter((field) => field !== 'content');
  return (
    <Stack>
      <Alert color="orange" role="alert" title="Someone else saved this note first">
        Revision {theirs.revision} was saved by <ActorName actor={theirs.updatedBy} />{' '}
        <RelativeTime at={theirs.updatedAt} />. Your changes are not saved yet.
        {others.length > 0 && <Text size="sm">Also changed: {others.join(', ')}.</Text>}
      </Alert>
      <SimpleGrid cols={{ base: 1, md: 2 }}>
        <Stack gap="xs">
          <Title order={2} size="h3">
            Their changes
          </Title>
          <LineDiff before={base.content} after={theirs.content} label="Their changes" />
        </Stack>
        <Stack gap="xs">
          <Title order={2} size="h3">
            Your changes
          </Title>
          <LineDiff before={base.content} after={mine.content} label="Your changes" />
        </Stack>
      </SimpleGrid>
      <Textarea
        label="Merged text"
        autosize
        minRows={8}
        value={merged}
        onChange={(event) => setMerged(event.currentTarget.value)}
      />
      {error !== null && error !== undefined && <ErrorAlert error={error} />}
      <Group>
        <Button onClick={() => onEditOn(merged)}>Continue with this text</Button>
        <Button variant="default" onClick={onTakeTheirs}>
          Use theirs
        </Button>
        <Button variant="default" loading={isPending} onClick={onKeepMine}>
          Keep mine
        </Button>
      </Group>
    </Stack>
  );
};
