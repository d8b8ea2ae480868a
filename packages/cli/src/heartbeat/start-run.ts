import type { Schema } from '@commonplace/client';
import { describeError } from '../describe-error.ts';
import type { BeatContext } from './beat-context.ts';
import { hadNoEffect, insist } from './insist.ts';
import type { HeartbeatOptions } from './parse-options.ts';

/** How long a server that is away is waited for before this beat is given up. */
const patienceMs = 60_000;

/** Starts a run by the agent's key. Throws the problem when the server refuses it. */
export const startRun = async (
  { agentId, everyMs, reserveCents, ttlSeconds }: HeartbeatOptions,
  { api, signals, say }: Pick<BeatContext, 'api' | 'signals' | 'say'>,
): Promise<Schema<'StartedRun'>> => {
  const { data } = await insist(
    () =>
      api.post('/api/agents/{agentId}/runs', {
        params: { path: { agentId } },
        body: {
          trigger: everyMs === undefined ? 'manual' : 'schedule',
          ...(reserveCents === undefined ? {} : { reserveCents }),
          ...(ttlSeconds === undefined ? {} : { ttlSeconds }),
        },
      }),
    {
      mayHelp: hadNoEffect,
      // A request under way is not broken off: it might have begun a run that nobody would end.
      signal: AbortSignal.any([signals.stop, AbortSignal.timeout(patienceMs)]),
      onFailure: (error) => say(`no run yet: ${describeError(error)}; trying on`),
    },
  );
  say(`run ${data.run.id} started`);
  return data;
};
