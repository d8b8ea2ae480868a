import { Group, Progress, Stack, Text } from '@mantine/core';
import { useMoney } from './use-money.ts';
import { BudgetWarning } from './budget-warning.tsx';
import { budgetColor } from './budget-color.ts';

type BudgetBarProps = {
  readonly spentCents: number;
  readonly reservedCents: number;
  /** Null means no limit. */
  readonly limitCents: number | null;
  /** What is said where there is no limit. */
  readonly noLimit?: string;
};

/** Spent, reserved and remaining budget of the month. */
export const BudgetBar = ({
  spentCents,
  reservedCents,
  limitCents,
  noLimit = 'No limit',
}: BudgetBarProps) => {
  const { format } = useMoney();
  const left = limitCents === null ? null : limitCents - spentCents - reservedCents;
  return (
    <Stack gap={6}>
      {limitCents !== null && (
        <LimitBar spent={spentCents} reserved={reservedCents} limit={limitCents} />
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
          {left === null ? noLimit : describeLeft(left, limitCents ?? 0, format)}
        </Text>
      </Group>
      <BudgetWarning used={spentCents + reservedCents} limit={limitCents} />
    </Stack>
  );
};

/** What is left of a limit, or how far it is exceeded. */
const describeLeft = (left: number, limit: number, format: (amount: number) => string): string =>
  left < 0
    ? `${format(-left)} over the ${format(limit)} of this month`
    : `${format(left)} left of ${format(limit)} this month`;

type LimitBarProps = {
  readonly spent: number;
  readonly reserved: number;
  readonly limit: number;
};

/** A bar is a share of a limit; the whole bar where more than that is used. */
const LimitBar = ({ spent, reserved, limit }: LimitBarProps) => {
  const used = spent + reserved;
  const whole = Math.max(limit, used, 1);
  return (
    <Progress.Root size="lg" aria-hidden>
      <Progress.Section value={(100 * spent) / whole} color={budgetColor(used, limit)} />
      <Progress.Section value={(100 * reserved) / whole} color="yellow" striped />
    </Progress.Root>
  );
};

type TokenBarProps = {
  readonly spentTokens: number;
  /** Null means no limit. */
  readonly limitTokens: number | null;
};

const integer = new Intl.NumberFormat();

/** Used and remaining tokens of the month. */
export const TokenBar = ({ spentTokens, limitTokens }: TokenBarProps) => (
  <Stack gap={6}>
    {limitTokens !== null && <LimitBar spent={spentTokens} reserved={0} limit={limitTokens} />}
    <Group gap="4px 16px">
      <Text size="sm">
        <b>{integer.format(spentTokens)}</b> tokens used
      </Text>
      <Text size="sm" c="dimmed">
        {limitTokens === null
          ? 'No limit of tokens'
          : describeLeft(limitTokens - spentTokens, limitTokens, (tokens) =>
              integer.format(tokens),
            )}
      </Text>
    </Group>
    <BudgetWarning used={spentTokens} limit={limitTokens} />
  </Stack>
);
