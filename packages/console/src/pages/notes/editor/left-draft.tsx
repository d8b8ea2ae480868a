import { Alert, Button, Stack } from '@mantine/core';
import { Copyable } from '../../../components/copyable.tsx';

type LeftDraftProps = {
  readonly title?: string;
  /** Why it cannot be saved here any more. */
  readonly reason: string;
  readonly text: string;
  readonly onDiscard: () => void;
  readonly discard?: string;
};

/** A draft that has no place to be saved any more: its text can be copied until it is given up. */
export const LeftDraft = ({
  title = 'You have an unsaved draft',
  reason,
  text,
  onDiscard,
  discard = 'Discard draft',
}: LeftDraftProps) => (
  <Alert mb="md" title={title} role="status">
    <Stack gap="sm" align="stretch">
      <span>{reason}</span>
      <Copyable label="Unsaved text" text={text} />
      <Button variant="default" size="xs" style={{ alignSelf: 'end' }} onClick={onDiscard}>
        {discard}
      </Button>
    </Stack>
  </Alert>
);
