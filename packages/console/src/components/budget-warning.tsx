import { Text } from '@mantine/core';

/** From this share of a limit on, a budget warns; the audit log has the same warning. */
const warningShare = 0.8;

/** The share of a limit that is used; null means there is no limit. */
const shareUsed = (used: number, limit: number | null): number | null =>
  limit === null ? null : used / Math.max(limit, 1);

/** Whether a budget should warn. */
export const isNearLimit = (used: number, limit: number | null): boolean =>
  (shareUsed(used, limit) ?? 0) >= warningShare;

type BudgetWarningProps = { readonly used: number; readonly limit: number | null };

/** Says that 80 % of a limit are used, or all of it. */
export const BudgetWarning = ({ used, limit }: BudgetWarningProps) =>
  limit !== null && isNearLimit(used, limit) ? (
    <Text size="sm" fw={600} c="var(--console-chart-failed)">
      {used >= limit ? 'The budget is used up.' : '80 % or more of the budget is used.'}
    </Text>
  ) : null;
