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

/** Why a draft is not in an editor where the operator may not write. */
export const readOnlyReason =
  'You cannot change notes of this company now, so the text is kept here to copy it.';

/** A text that no editor on the page goes on with: it can be copied until it is given up. */
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
