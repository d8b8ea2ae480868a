import { describeError } from '../describe-error.ts';
import type { BeatContext } from './beat-context.ts';
import { insist, isPassing } from './insist.ts';

/** How long a server that is away is waited for; a run left unfinished expires by itself. */
const patienceMs = 60_000;

/** How a run ended, as the server is told. */
export type Outcome = {
  readonly runId: string;
  readonly status: 'succeeded' | 'failed';
  /** Left out, the server books the reservation. */
  readonly costCents: number | undefined;
};

/** Tells the server how the run ended. The command is over either way, so a refusal is only said. */
export const finishRun = async (
  { runId, status, costCents }: Outcome,
  { api, say }: Pick<BeatContext, 'api' | 'say'>,
): Promise<void> => {
  try {
    const { data } = await insist(
      () =>
        api.post('/api/runs/{runId}/finish', {
          params: { path: { runId } },
          body: { status, ...(costCents === undefined ? {} : { costCents }) },
        }),
      {
        mayHelp: isPassing,
        signal: AbortSignal.timeout(patienceMs),
        onFailure: (error) =>
          say(`run ${runId} is not finished yet: ${describeError(error)}; trying on`),
      },
    );
    say(`run ${runId} ${data.status}, cost ${data.costCents} cents`);
  } catch (error) {
    say(`run ${runId} could not be finished: ${describeError(error)}`);
  }
};
