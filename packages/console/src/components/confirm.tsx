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

/** What the operator does with unsaved work: stays with it, leaves it as a draft if there is one, or gives it up. */
export type LeaveChoice = 'stay' | 'leave' | 'discard';

type Leaving = {
  readonly isKept: boolean;
  /** Drafts of this browser that will be lost with the work on the page. */
  readonly drafts?: number;
};

/** Confirms leaving unsaved work. Resolves with "stay" if the dialog is closed. */
export const confirmLeaving = ({ isKept, drafts = 0 }: Leaving): Promise<LeaveChoice> =>
  new Promise((resolve) => {
    modals.open({
      title: drafts === 0 ? 'Leave without saving?' : 'Leave and lose unsaved texts?',
      children: (
        <Text size="sm">
          {isKept
            ? 'Your changes stay in this browser as a draft, and are back when you return.'
            : drafts === 0
              ? 'Your changes will be lost.'
              : `${drafts === 1 ? '1 text' : `${drafts} texts`} that you have not saved ${drafts === 1 ? 'is' : 'are'} kept in this browser, and will be lost.`}
        </Text>
      ),
      confirmation: {
        label: 'Leave',
        cancel: 'Stay',
        isDangerous: !isKept,
        onConfirm: () => resolve('leave'),
        ...(isKept && {
          alternative: { label: 'Discard draft', onConfirm: () => resolve('discard') },
        }),
      },
      onClose: () => resolve('stay'),
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
