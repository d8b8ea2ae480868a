import { Text } from '@mantine/core';
import { budgetColor } from './budget-color.ts';
import { isNearLimit } from './is-near-limit.ts';
import { isUsedUp } from './is-used-up.ts';

type BudgetWarningProps = { readonly used: number; readonly limit: number | null };

/** Says that 80 % of a limit are used, or all of it, in the colour of its bar: red only once it is used up. */
export const BudgetWarning = ({ used, limit }: BudgetWarningProps) =>
  limit !== null && isNearLimit(used, limit) ? (
    <Text size="sm" fw={600} c={budgetColor(used, limit)}>
      {isUsedUp(used, limit) ? 'The budget is used up.' : '80 % or more of the budget is used.'}
    </Text>
  ) : null;
