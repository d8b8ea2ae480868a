import { Button, Checkbox, Group } from '@mantine/core';
import { DecisionKey } from './decision-key.tsx';

type SelectionBarProps = {
  readonly count: number;
  readonly isPending: boolean;
  /** All that are loaded are selected. */
  readonly isWhole: boolean;
  readonly onSelectAll: (isSelected: boolean) => void;
  readonly onAccept: () => void;
  readonly onReject: () => void;
};

/** Selects all proposals of the list, and decides about those that are selected. */
export const SelectionBar = (props: SelectionBarProps) => {
  const { count, isPending, isWhole, onSelectAll, onAccept, onReject } = props;
  return (
    <Group gap="xs" mih={34} mb="xs" px={12} role="region" aria-label="Selected proposals">
      <Checkbox
        size="md"
        label={count === 0 ? 'Select all' : `${count} selected`}
        checked={isWhole}
        indeterminate={count > 0 && !isWhole}
        onChange={() => onSelectAll(!isWhole)}
      />
      {count > 0 && (
        <Group gap="xs" ml="auto">
          <Button
            size="xs"
            loading={isPending}
            onClick={onAccept}
            rightSection={<DecisionKey name="a" />}
          >
            Accept {count}
          </Button>
          <Button
            size="xs"
            variant="outline"
            color="red"
            disabled={isPending}
            onClick={onReject}
            rightSection={<DecisionKey name="r" />}
          >
            Reject {count}…
          </Button>
        </Group>
      )}
    </Group>
  );
};
