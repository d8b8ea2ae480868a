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

/** Asks whether to leave unsaved work, and answers what was chosen; to close the question is to stay. */
export const confirmLeaving = (): Promise<boolean> =>
  new Promise((resolve) => {
    modals.openConfirmModal({
      title: 'Leave without saving?',
      children: <Text size="sm">What you changed here is lost.</Text>,
      labels: { confirm: 'Leave', cancel: 'Stay' },
      confirmProps: { color: 'red' },
      cancelProps: { 'data-autofocus': true },
      onConfirm: () => resolve(true),
      onClose: () => resolve(false),
    });
  });

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
