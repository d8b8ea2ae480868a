import { Alert, Button, Stack } from '@mantine/core';
import { Copyable } from '../../../components/copyable.tsx';

type LeftDraftProps = {
  /** Why it cannot be saved here any more. */
  readonly reason: string;
  readonly text: string;
  readonly onDiscard: () => void;
};

/** A draft that has no place to be saved any more: its text can be copied until it is given up. */
export const LeftDraft = ({ reason, text, onDiscard }: LeftDraftProps) => (
  <Alert mb="md" title="You have an unsaved draft" role="status">
    <Stack gap="sm" align="stretch">
      <span>{reason}</span>
      <Copyable label="Unsaved text" text={text} />
      <Button variant="default" size="xs" style={{ alignSelf: 'end' }} onClick={onDiscard}>
        Discard draft
      </Button>
    </Stack>
  </Alert>
);
