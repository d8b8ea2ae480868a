import { Text } from '@mantine/core';
import { modals } from '@mantine/modals';

type Confirmation = {
  readonly title: string;
  readonly text: React.ReactNode;
  /** The action as a verb: "Archive", "Revoke". Never "OK". */
  readonly confirm: string;
  readonly onConfirm: () => void;
  readonly isDangerous?: boolean;
};

/** Confirms leaving unsaved work. Resolves with false if the dialog is closed. */
export const confirmLeaving = (): Promise<boolean> =>
  new Promise((resolve) => {
    modals.openConfirmModal({
      title: 'Leave without saving?',
      children: <Text size="sm">Your changes will be lost.</Text>,
      labels: { confirm: 'Leave', cancel: 'Stay' },
      confirmProps: { color: 'red' },
      cancelProps: { 'data-autofocus': true },
      onConfirm: () => resolve(true),
      onClose: () => resolve(false),
    });
  });

/** Confirms an action that cannot be undone. The cancel button has the focus. */
export const confirm = (options: Confirmation): void => {
  modals.openConfirmModal({
    title: options.title,
    children: <Text size="sm">{options.text}</Text>,
    labels: { confirm: options.confirm, cancel: 'Cancel' },
    confirmProps: options.isDangerous === false ? {} : { color: 'red' },
    cancelProps: { 'data-autofocus': true },
    onConfirm: options.onConfirm,
  });
};
