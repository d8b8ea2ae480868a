import { Group, Progress, Stack, Text } from '@mantine/core';
import { useMoney } from '../app/use-money.ts';
import { BudgetWarning, isNearLimit } from './budget-warning.tsx';

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
      {/* A bar is a share of a limit. */}
      {limitCents !== null && (
        <Progress.Root size="lg" aria-hidden>
          <Progress.Section
            value={share(spentCents)}
            color={barColor(spentCents + reservedCents, limitCents)}
          />
          <Progress.Section value={share(reservedCents)} color="yellow" striped />
        </Progress.Root>
      )}
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
      <BudgetWarning used={spentCents + reservedCents} limit={limitCents} />
    </Stack>
  );
};

const barColor = (used: number, limit: number | null): string => {
  if (limit !== null && used >= limit) {
    return 'red';
  }
  return isNearLimit(used, limit) ? 'orange' : '';
};

type TokenBarProps = {
  readonly spentTokens: number;
  /** Null: no limit. */
  readonly limitTokens: number | null;
};

const integer = new Intl.NumberFormat();

/** Used and remaining tokens of the month. */
export const TokenBar = ({ spentTokens, limitTokens }: TokenBarProps) => (
  <Stack gap={6}>
    {limitTokens !== null && (
      <Progress.Root size="lg" aria-hidden>
        <Progress.Section
          value={Math.min(100, (100 * spentTokens) / Math.max(limitTokens, 1))}
          color={barColor(spentTokens, limitTokens)}
        />
      </Progress.Root>
    )}
    <Group gap="4px 16px">
      <Text size="sm">
        <b>{integer.format(spentTokens)}</b> tokens used
      </Text>
      <Text size="sm" c="dimmed">
        {limitTokens === null
          ? 'No limit of tokens'
          : `${integer.format(Math.max(0, limitTokens - spentTokens))} left of ${integer.format(limitTokens)} this month`}
      </Text>
    </Group>
    <BudgetWarning used={spentTokens} limit={limitTokens} />
  </Stack>
);
