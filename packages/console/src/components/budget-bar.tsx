import { Group, Progress, Stack, Text } from '@mantine/core';
import { useMoney } from '../app/use-money.ts';

type BudgetBarProps = {
  readonly spentCents: number;
  readonly reservedCents: number;
  /** Null: no limit. */
  readonly limitCents: number | null;
};

/** Spent, reserved and remaining budget of the month. */
export const BudgetBar = ({ spentCents, reservedCents, limitCents }: BudgetBarProps) => {
  const { format } = useMoney();
  const whole = Math.max(limitCents ?? 0, spentCents + reservedCents, 1);
  const left = limitCents === null ? null : limitCents - spentCents - reservedCents;
  const share = (cents: number): number => (100 * cents) / whole;
  return (
    <Stack gap={6}>
      <Progress.Root size="lg" aria-hidden>
        <Progress.Section
          value={share(spentCents)}
          color={left !== null && left <= 0 ? 'red' : ''}
        />
        <Progress.Section value={share(reservedCents)} color="yellow" striped />
      </Progress.Root>
      <Group gap="4px 16px">
        <Text size="sm">
          <b>{format(spentCents)}</b> spent
        </Text>
        {reservedCents > 0 && (
          <Text size="sm">
            <b>{format(reservedCents)}</b> reserved
          </Text>
        )}
        <Text size="sm" c="dimmed">
          {left === null
            ? 'No limit'
            : `${format(left)} left of ${format(limitCents ?? 0)} this month`}
        </Text>
      </Group>
    </Stack>
  );
};
