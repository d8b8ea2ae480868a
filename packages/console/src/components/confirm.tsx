import { Text } from '@mantine/core';
import { modals } from './modals.ts';

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
    modals.open({
      title: 'Leave without saving?',
      children: <Text size="sm">Your changes will be lost.</Text>,
      confirmation: {
        label: 'Leave',
        cancel: 'Stay',
        isDangerous: true,
        onConfirm: () => resolve(true),
      },
      onClose: () => resolve(false),
    });
  });

/** Confirms an action that cannot be undone. The cancel button has the focus. */
export const confirm = ({ title, text, isDangerous = true, ...rest }: Confirmation): void => {
  modals.open({
    title,
    children: <Text size="sm">{text}</Text>,
    confirmation: {
      label: rest.confirm,
      cancel: 'Cancel',
      isDangerous,
      onConfirm: rest.onConfirm,
    },
  });
};
