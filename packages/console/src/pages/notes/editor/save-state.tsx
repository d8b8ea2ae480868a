import { Text } from '@mantine/core';
import { useNetwork } from '@mantine/hooks';

type SaveStateProps = {
  readonly isChanged: boolean;
  readonly isPending: boolean;
  readonly hasFailed: boolean;
  /** Whether there is a saved version at all. */
  readonly isNew: boolean;
};

/** Whether the text is saved, and where it is otherwise. */
export const SaveState = (props: SaveStateProps) => {
  const { online } = useNetwork();
  const text = textOf(props, online);
  return (
    <Text size="xs" c="dimmed" data-save-state className="any-script">
      {text}
    </Text>
  );
};

const textOf = (
  { isChanged, isPending, hasFailed, isNew }: SaveStateProps,
  isOnline: boolean,
): string => {
  if (isPending) {
    return 'Saving…';
  }
  if (!isChanged) {
    return isNew ? 'Not saved yet' : 'Saved';
  }
  if (!isOnline) {
    return 'Offline, kept in this browser';
  }
  return hasFailed ? 'Not saved, kept in this browser' : 'Unsaved changes';
};
