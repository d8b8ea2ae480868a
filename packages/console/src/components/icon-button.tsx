import { ActionIcon } from '@mantine/core';
import type { Icon } from '@tabler/icons-react';

type IconButtonProps = {
  /** What it does and to what; also shown by the pointer. */
  readonly label: string;
  readonly icon: Icon;
  readonly onClick: React.MouseEventHandler<HTMLButtonElement>;
  readonly color?: 'red';
  readonly isLoading?: boolean;
};

/** A button in a row of a table, no higher than its text. */
export const IconButton = ({ label, icon: Shown, color, isLoading, onClick }: IconButtonProps) => (
  <ActionIcon
    size={32}
    variant="default"
    aria-label={label}
    loading={isLoading ?? false}
    onClick={onClick}
    {...(color ? { c: color } : {})}
  >
    {/* A title of the button itself would be said after its label, which is the same. */}
    <span
      aria-hidden
      title={label}
      style={{ position: 'absolute', inset: 0, display: 'grid', placeItems: 'center' }}
    >
      <Shown size={16} />
    </span>
  </ActionIcon>
);
