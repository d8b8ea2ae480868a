import { call, isUnavailable } from './api-call.ts';
import type { ClientState } from './client-state.ts';
import { buildRequest } from './outbox.ts';

/** Submits changes as a background job and polls it until it ends. */
export const background = async (client: ClientState): Promise<void> => {
  const { actor, company, drafts, history, random } = client;
  if (client.request || drafts.size === 0 || client.isFresh) {
    return;
  }
  const of = buildRequest(client);
  client.request = of;
  const body = { clientId: client.clientId, mode: 'background', changes: of.changes };
  const receipt = await call(company, { method: 'POST', path: '/api/sync', body });
  // Regardless of the job's outcome, the same mutations follow in the foreground.
  if (isUnavailable(receipt) || receipt.status !== 202) {
    return;
  }
  history.count('background jobs');
  const { jobId } = receipt.body as { readonly jobId: string };
  for (let poll = 0; poll < 20 && random.chance(0.9); poll += 1) {
    const job = await call(company, { method: 'GET', path: `/api/sync/${jobId}` });
    const state = isUnavailable(job) ? null : (job.body as { status: string });
    if (state?.status === 'failed') {
      history.violate('a job does not fail', `${actor}: ${JSON.stringify(job?.body)}`);
    }
    if (state && !['queued', 'running'].includes(state.status)) {
      return;
    }
  }
};
