import { ActionIcon, VisuallyHidden } from '@mantine/core';
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
    title={label}
    loading={isLoading ?? false}
    onClick={onClick}
    {...(color ? { c: color } : {})}
  >
    <Shown size={16} aria-hidden />
    {/* Not a label beside the title: screen readers would say both. */}
    <VisuallyHidden>{label}</VisuallyHidden>
  </ActionIcon>
);
