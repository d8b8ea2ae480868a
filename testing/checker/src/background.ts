import { call, isAway } from './call.ts';
import type { ClientState } from './client-state.ts';
import { launch } from './outbox.ts';

/** Hands changes to a background job and asks for them until they are done. */
export const background = async (client: ClientState): Promise<void> => {
  const { who, company, drafts, history, random } = client;
  if (client.request || drafts.size === 0 || client.isFresh) {
    return;
  }
  const of = launch(client);
  client.request = of;
  const body = { clientId: client.clientId, mode: 'background', changes: of.changes };
  const receipt = await call(company, { method: 'POST', path: '/api/sync', body });
  // Whatever becomes of the job, the same changes follow in the foreground, under the same names.
  if (isAway(receipt) || receipt.status !== 202) {
    return;
  }
  history.count('background jobs');
  const { jobId } = receipt.body as { readonly jobId: string };
  for (let look = 0; look < 20 && random.chance(0.9); look += 1) {
    const job = await call(company, { method: 'GET', path: `/api/sync/${jobId}` });
    const state = isAway(job) ? null : (job.body as { status: string });
    if (state?.status === 'failed') {
      history.violate('a job does its work', `${who}: ${JSON.stringify(job?.body)}`);
    }
    if (state && !['queued', 'running'].includes(state.status)) {
      return;
    }
  }
};
