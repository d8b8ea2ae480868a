import { Modal } from '@mantine/core';
import { reauthentication } from '../../api/reauthentication.ts';
import { ReauthenticationForm } from './reauthentication-form.tsx';
import { useOpened } from '../use-opened.ts';

/** Lets the operator confirm who they are, above any other dialog, and goes on with what was being done. */
export const ReauthenticationDialog = ({ isNeeded }: { readonly isNeeded: boolean }) => (
  <Modal
    opened={useOpened(isNeeded)}
    onClose={() => reauthentication.settle(false)}
    title="Confirm that it is you"
    zIndex={1000}
    closeButtonProps={{ 'aria-label': 'Close' }}
  >
    <ReauthenticationForm onConfirmed={() => reauthentication.settle(true)} />
  </Modal>
);
