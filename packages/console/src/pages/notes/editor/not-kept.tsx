import { Text } from '@mantine/core';

type NotKeptProps = {
  /** Whether the browser has stored the draft; null: not tried. */
  readonly isKept: boolean | null;
};

/** Says that the browser refused to store what is unsaved. */
export const NotKept = ({ isKept }: NotKeptProps) =>
  isKept === false && (
    <Text size="sm" c="dimmed" role="alert">
      Unsaved changes, not kept in this browser
    </Text>
  );
