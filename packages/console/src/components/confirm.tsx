import { Text } from '@mantine/core';
import { modals } from '@mantine/modals';

type Confirmation = {
  readonly title: string;
  readonly text: React.ReactNode;
  /** What will happen, as a verb: "Archive", "Revoke". Never "OK". */
  readonly confirm: string;
  readonly onConfirm: () => void;
  readonly isDangerous?: boolean;
};

/** Asks before something that cannot be taken back; the way out has the focus. */
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
