import { Modal } from '@mantine/core';
import { lazy, Suspense, useSyncExternalStore } from 'react';
import { reauthentication } from '../api/reauthentication.ts';

const Form = lazy(async () => {
  const { ReauthenticationForm } = await import('./reauthentication-form.tsx');
  return { default: ReauthenticationForm };
});

/** Lets the operator confirm who they are, above any other dialog, and goes on with what was being done. */
export const ReauthenticationDialog = () => {
  const isNeeded = useSyncExternalStore(reauthentication.subscribe, reauthentication.isNeeded);
  return (
    <Modal
      opened={isNeeded}
      onClose={() => reauthentication.settle(false)}
      title="Confirm that it is you"
      zIndex={1000}
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      <Suspense>
        <Form onConfirmed={() => reauthentication.settle(true)} />
      </Suspense>
    </Modal>
  );
};
