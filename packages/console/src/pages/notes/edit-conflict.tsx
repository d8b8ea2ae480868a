import { Alert, Button, Group, SimpleGrid, Stack, Textarea, Title } from '@mantine/core';
import type { Schema } from '@commonplace/client';
import { useState } from 'react';
import { ActorName } from '../../components/actor-name.tsx';
import { RelativeTime } from '../../components/relative-time.tsx';
import { LineDiff } from './line-diff.tsx';
import type { NoteText } from './note-form.tsx';

type EditConflictProps = {
  /** The text both sides began with. */
  readonly base: string;
  readonly theirs: Schema<'NoteData'>;
  readonly mine: NoteText;
  readonly isPending: boolean;
  readonly onKeepMine: () => void;
  readonly onTakeTheirs: () => void;
  readonly onEditOn: (content: string) => void;
};

/** Somebody saved first: both changes side by side, and what to make of them. */
export const EditConflict = (props: EditConflictProps) => {
  const { base, theirs, mine, isPending, onKeepMine, onTakeTheirs, onEditOn } = props;
  const [merged, setMerged] = useState(mine.content);
  return (
    <Stack>
      <Alert color="orange" role="alert" title="Somebody else saved this note first">
        Revision {theirs.revision} was saved by <ActorName actor={theirs.updatedBy} />{' '}
        <RelativeTime at={theirs.updatedAt} />. Nothing of yours was saved yet.
      </Alert>
      <SimpleGrid cols={{ base: 1, md: 2 }}>
        <Stack gap="xs">
          <Title order={2} size="h3">
            Their changes
          </Title>
          <LineDiff before={base} after={theirs.content} label="Their changes" />
        </Stack>
        <Stack gap="xs">
          <Title order={2} size="h3">
            Your changes
          </Title>
          <LineDiff before={base} after={mine.content} label="Your changes" />
        </Stack>
      </SimpleGrid>
      <Textarea
        label="The text to go on with"
        autosize
        minRows={8}
        value={merged}
        onChange={(event) => setMerged(event.currentTarget.value)}
      />
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
