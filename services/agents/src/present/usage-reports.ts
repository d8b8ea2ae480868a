import type { UsageReport } from '@commonplace/contracts/agents';
import type { ReportRow } from '../queries/usage-reports.ts';

/** A report of a run as the API returns it. */
export const presentReport = (row: ReportRow): UsageReport => ({
  mutationId: row.mutationId,
  at: row.at.toISOString(),
  costCents: row.costCents,
  inputTokens: row.inputTokens,
  outputTokens: row.outputTokens,
  model: row.model,
  outcome: row.outcome,
  total: {
    costCents: row.totalCents,
    inputTokens: row.totalInputTokens,
    outputTokens: row.totalOutputTokens,
  },
});
