import { Button, Group, Stack } from '@mantine/core';
import { useState } from 'react';
import { useHeldModal } from './use-held-modal.ts';

type ShownOnceProps = {
  /** For the button: "the key". */
  readonly what: string;
  readonly children: (onCopied: () => void) => React.ReactNode;
};

/**
 * A secret in a dialog that stays open until the secret is copied or confirmed as stored.
 */
export const ShownOnce = ({ what, children }: ShownOnceProps) => {
  const [isCopied, setCopied] = useState(false);
  const close = useHeldModal(!isCopied);
  const onCopied = (): void => setCopied(true);
  return (
    <Stack onCopy={onCopied}>
      {children(onCopied)}
      <Group justify="flex-end">
        <Button onClick={close}>I have stored {what}</Button>
      </Group>
    </Stack>
  );
};
