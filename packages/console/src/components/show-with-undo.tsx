import { Button, Group, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';

/** Long enough to read it and to reach its button by keyboard. */
export const shownMs = 12_000;

type Undoable = {
  /** Names what was done among all messages. */
  readonly id: string;
  readonly text: string;
  /** Takes it back, and returns what to say then. */
  readonly undo: () => Promise<string>;
  /** What to say of an error of `undo`. */
  readonly failure: (error: unknown) => string;
  /** What the button of `undo` says. */
  readonly label?: string;
  /** Takes only the last part of it back. */
  readonly undoLast?: () => Promise<string>;
  /** The message is gone, however it was closed. */
  readonly onClose?: () => void;
};

/** Says what was done, with the way back as long as the message is displayed. */
export const showWithUndo = (undoable: Undoable): void => {
  const { id, text, undo, failure, label = 'Undo', undoLast, onClose } = undoable;
  const takeBack = async (back: () => Promise<string>): Promise<void> => {
    // A second click finds no button.
    notifications.hide(id);
    try {
      notifications.show({ message: await back() });
    } catch (error) {
      notifications.show({ color: 'red', message: failure(error) });
    }
  };
  notifications.show({
    id,
    autoClose: shownMs,
    ...(onClose && { onClose }),
    message: (
      <Group justify="space-between" wrap="nowrap" gap="sm">
        <Text span size="sm" lineClamp={3} className="any-script">
          {text}
        </Text>
        {undoLast && (
          <Button
            size="xs"
            variant="default"
            flex="none"
            ml="auto"
            onClick={() => void takeBack(undoLast)}
          >
            Undo last
          </Button>
        )}
        <Button size="xs" variant="default" flex="none" onClick={() => void takeBack(undo)}>
          {label}
        </Button>
      </Group>
    ),
  });
};
