import { Button, Group, Stack, Textarea } from '@mantine/core';
import { useState } from 'react';
import { plural } from '../../components/plural.ts';
import { modals } from '../../components/modals.ts';

type RejectFormProps = {
  readonly count: number;
  /** What the reason begins with. */
  readonly reason: string;
  readonly onReject: (reason: string) => void;
  readonly onDone: () => void;
};

const charactersMax = 1_000;

const RejectForm = ({ count, reason: initial, onReject, onDone }: RejectFormProps) => {
  const [reason, setReason] = useState(initial);
  const text = reason.trim();
  const send = (): void => {
    if (text !== '') {
      onReject(text);
      onDone();
    }
  };
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
    >
      <Stack>
        <Textarea
          label="Reason"
          description={`The ${plural(count, 'agent')} will read it. Press Ctrl+Enter to reject.`}
          autosize
          minRows={2}
          maxLength={charactersMax}
          required
          data-autofocus
          value={reason}
          onChange={({ currentTarget: { value } }) => setReason(value)}
          onKeyDown={(event) => {
            if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
              event.preventDefault();
              send();
            }
          }}
        />
        <Group justify="flex-end">
          <Button variant="default" onClick={onDone}>
            Cancel
          </Button>
          <Button type="submit" color="red" disabled={text === ''}>
            {count === 1 ? 'Reject' : `Reject ${count}`}
          </Button>
        </Group>
      </Stack>
    </form>
  );
};

/** Opens the form for the reason with which proposals are rejected. */
export const openRejectForm = ({
  title,
  ...form
}: Omit<RejectFormProps, 'onDone'> & { readonly title: string }): void => {
  const dialog = modals.open({
    title,
    children: <RejectForm {...form} onDone={() => modals.close(dialog)} />,
  });
};
