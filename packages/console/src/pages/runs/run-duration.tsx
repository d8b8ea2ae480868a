import type { Schema } from '@commonplace/client';
import { formatDuration } from '../../components/format-duration.ts';
import { useNow } from '../../components/use-now.ts';

const refreshMs = 1_000;

/** How long a run took, or has been running. */
export const RunDuration = ({ run }: { readonly run: Schema<'Run'> }) => {
  const { startedAt, finishedAt } = run;
  const [nowMs] = useNow(finishedAt === null ? refreshMs : null);
  const endMs = finishedAt === null ? nowMs : Date.parse(finishedAt);
  return formatDuration(endMs - Date.parse(startedAt));
};
