import { Button, Group, Modal, Stack } from '@mantine/core';
import { useState } from 'react';
import { modals, type Confirmation, type OpenModal } from '../../components/modals.ts';
import { useOpened } from '../use-opened.ts';

/** Displays a dialog. While it closes, its content stays. */
export const ModalHost = ({ modal }: { readonly modal: OpenModal | null }) => {
  const [last, setLast] = useState(modal);
  if (modal !== null && modal !== last) {
    setLast(modal);
  }
  const shown = modal ?? last;
  const mayClose = shown?.isHeld !== true;
  return (
    <Modal
      opened={useOpened(modal !== null)}
      onClose={() => modal && modals.close(modal.id)}
      title={shown?.title}
      size={shown?.size ?? 'md'}
      zIndex={201}
      closeOnEscape={mayClose}
      closeOnClickOutside={mayClose}
      withCloseButton={mayClose}
    >
      {shown?.confirmation ? (
        <Stack>
          {shown.children}
          <ConfirmButtons id={shown.id} {...shown.confirmation} />
        </Stack>
      ) : (
        shown?.children
      )}
    </Modal>
  );
};

/** The cancel button has the focus. */
const ConfirmButtons = ({
  id,
  label,
  cancel,
  isDangerous,
  onConfirm,
  alternative,
}: Confirmation & { readonly id: number }) => (
  <Group justify="flex-end">
    {alternative && (
      <Button
        variant="subtle"
        color="red"
        onClick={() => {
          alternative.onConfirm();
          modals.close(id);
        }}
      >
        {alternative.label}
      </Button>
    )}
    <Button variant="default" data-autofocus onClick={() => modals.close(id)}>
      {cancel}
    </Button>
    <Button
      {...(isDangerous ? { color: 'red' } : {})}
      onClick={() => {
        onConfirm();
        modals.close(id);
      }}
    >
      {label}
    </Button>
  </Group>
);
