import type { Schema } from '@commonplace/client';

/** Why a run ended as it did, in words; null if nobody said. */
export const runReason = ({
  reason,
  status,
}: Pick<Schema<'Run'>, 'reason' | 'status'>): string | null => {
  if (reason === 'budget' && status === 'cancelled') {
    return 'A report exceeded the budget';
  }
  return reason ?? (status === 'expired' ? 'Its token was not renewed in time' : null);
};
