import { Text } from '@mantine/core';
import { useNetwork } from '@mantine/hooks';

type SaveStateProps = {
  readonly isChanged: boolean;
  readonly isPending: boolean;
  readonly hasFailed: boolean;
  /** Whether the operator may change notes no more. */
  readonly isReadOnly: boolean;
  /** Whether this browser has stored what is not saved; null: not tried yet. */
  readonly isKept: boolean | null;
  /** Whether there is a saved version at all. */
  readonly isNew: boolean;
};

/** Whether the text is saved, and where it is otherwise. Screen readers say each change. */
export const SaveState = (props: SaveStateProps) => {
  const { online } = useNetwork();
  const text = textOf(props, online);
  return (
    <Text size="xs" c="dimmed" role="status" data-save-state className="any-script">
      {text}
    </Text>
  );
};

const textOf = (
  { isChanged, isPending, hasFailed, isReadOnly, isKept, isNew }: SaveStateProps,
  isOnline: boolean,
): string => {
  // What failed and is tried again by itself every few seconds stays in view, and is said once.
  if (isPending && !hasFailed) {
    return 'Saving…';
  }
  if (!isChanged) {
    return isNew ? 'Not saved yet' : 'Saved';
  }
  const state = isReadOnly ? readOnly : !isOnline ? 'Offline' : hasFailed ? 'Not saved' : null;
  if (isKept === false) {
    return `${state ?? 'Unsaved changes'}, not kept in this browser`;
  }
  return state === null ? 'Unsaved changes' : `${state}${isKept ? ', kept in this browser' : ''}`;
};

const readOnly = 'Not saved: you can no longer change this note';
