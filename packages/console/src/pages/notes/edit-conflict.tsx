import { Alert, Button, Group, SimpleGrid, Stack, Text, Textarea, Title } from '@mantine/core';
import type { Schema } from '@commonplace/client';
import { useState } from 'react';
import { useLeaveGuard } from '../../app/use-leave-guard.ts';
import { ActorName } from '../../components/actor-name.tsx';
import { ErrorAlert } from '../../components/error-alert.tsx';
import { RelativeTime } from '../../components/relative-time.tsx';
import { LineDiff } from './line-diff.tsx';
import { changedFields, textOf, type NoteText } from './note-text.ts';

type EditConflictProps = {
  /** What both sides began with. */
  readonly base: Schema<'NoteData'>;
  readonly theirs: Schema<'NoteData'>;
  readonly mine: NoteText;
  /** Why saving failed, if it did. */
  readonly error: unknown;
  readonly isPending: boolean;
  readonly onKeepMine: () => void;
  readonly onTakeTheirs: () => void;
  readonly onEditOn: (content: string) => void;
};

/** Somebody saved first: both changes side by side, and what to make of them. */
export const EditConflict = (props: EditConflictProps) => {
  const { base, theirs, mine, error, isPending, onKeepMine, onTakeTheirs, onEditOn } = props;
  const [merged, setMerged] = useState(mine.content);
  useLeaveGuard(true);
  const others = changedFields(textOf(base), textOf(theirs)).filter((field) => field !== 'content');
  return (
    <Stack>
      <Alert color="orange" role="alert" title="Somebody else saved this note first">
        Revision {theirs.revision} was saved by <ActorName actor={theirs.updatedBy} />{' '}
        <RelativeTime at={theirs.updatedAt} />. Nothing of yours was saved yet.
        {others.length > 0 && <Text size="sm">It changes also: {others.join(', ')}.</Text>}
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
        label="The text to go on with"
        autosize
        minRows={8}
        value={merged}
        onChange={(event) => setMerged(event.currentTarget.value)}
      />
      {error !== null && error !== undefined && <ErrorAlert error={error} />}
      <Group>
        <Button onClick={() => onEditOn(merged)}>Go on with this text</Button>
        <Button variant="default" onClick={onTakeTheirs}>
          Take theirs
        </Button>
        <Button variant="default" loading={isPending} onClick={onKeepMine}>
          Keep mine
        </Button>
      </Group>
    </Stack>
  );
};
