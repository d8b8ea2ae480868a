import { Button, Group, Modal, Stack } from '@mantine/core';
import { useLayoutEffect, useRef, useState } from 'react';
import { modals, type Confirmation, type OpenModal } from '../../components/modals.ts';
import { useOpened } from '../use-opened.ts';

const hostId = 'modal';

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
      id={hostId}
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
          {/* What Mantine describes the dialog by. */}
          <div id={`${hostId}-body`}>{shown.children}</div>
          <ConfirmButtons id={shown.id} {...shown.confirmation} />
        </Stack>
      ) : (
        <FromFirstField key={shown?.id}>{shown?.children}</FromFirstField>
      )}
    </Modal>
  );
};

const fields = ':is(input, select, textarea):not(:disabled, [type="hidden"])';

/** A dialog that does not say where it begins does so at its first field, and not at the button that closes it. */
const FromFirstField = ({ children }: { readonly children: React.ReactNode }) => {
  const box = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    if (!box.current?.querySelector('[data-autofocus]')) {
      box.current?.querySelector(fields)?.setAttribute('data-autofocus', '');
    }
  }, []);
  return <div ref={box}>{children}</div>;
};

/** The cancel button has the focus. */
const ConfirmButtons = ({
  id,
  label,
  cancel,
  isDangerous,
  onConfirm,
  alternative,
}: Confirmation & { readonly id: number }) => {
  // The buttons are there until the dialog has closed: what is chosen first counts.
  const choose = (act: () => void): void => {
    if (modals.current()?.id === id) {
      act();
      modals.close(id);
    }
  };
  return (
    <Group justify="flex-end">
      {alternative && (
        <Button variant="subtle" color="red" onClick={() => choose(alternative.onConfirm)}>
          {alternative.label}
        </Button>
      )}
      <Button variant="default" data-autofocus onClick={() => modals.close(id)}>
        {cancel}
      </Button>
      <Button {...(isDangerous ? { color: 'red' } : {})} onClick={() => choose(onConfirm)}>
        {label}
      </Button>
    </Group>
  );
};
