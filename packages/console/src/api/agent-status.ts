import type { Schema } from '@commonplace/client';
import { api, apiOf } from './api.ts';

type Named = Pick<Schema<'Agent'>, 'companyId' | 'id'>;

/** The status of an agent at this moment. */
export const readStatus = async ({
  companyId,
  id: agentId,
}: Named): Promise<Schema<'Agent'>['status']> =>
  (await apiOf(companyId).get('/api/agents/{agentId}', { params: { path: { agentId } } })).data
    .status;

/** Who paused or resumed an agent last, and when; null: nobody did. */
export const readLastChange = async (
  { companyId, id: entityId }: Named,
  action: 'agent.paused' | 'agent.resumed',
): Promise<Schema<'ActivityEntry'> | null> =>
  (
    await api.get('/api/companies/{companyId}/activity', {
      params: { path: { companyId }, query: { action, entityId, limit: 1 } },
    })
  ).data.items[0] ?? null;

/** More running runs than this are not counted. */
export const runsCounted = 100;

/** The running runs of an agent, newest first. */
export const readRunning = async ({
  companyId,
  id: agentId,
}: Named): Promise<readonly Schema<'Run'>[]> =>
  (
    await api.get('/api/companies/{companyId}/runs', {
      params: { path: { companyId }, query: { agentId, status: 'running', limit: runsCounted } },
    })
  ).data.items;
