import type { Schema } from '@commonplace/client';
import { Text } from '@mantine/core';
import { api } from '../api/api.ts';
import { modals } from './modals.ts';

type Agent = Pick<Schema<'Agent'>, 'companyId' | 'id' | 'name'>;

/** More running runs than this are not counted. */
const runsCounted = 100;

const countRunning = async ({ companyId, id: agentId }: Agent): Promise<number> =>
  (
    await api.get('/api/companies/{companyId}/runs', {
      params: { path: { companyId }, query: { agentId, status: 'running', limit: runsCounted } },
    })
  ).data.items.length;

const describeRuns = (count: number): string =>
  count === 1 ? '1 run' : `${count}${count === runsCounted ? ' or more' : ''} runs`;

/** Resolves with false if the dialog is closed. */
const confirmCancelling = ({ name }: Agent, count: number): Promise<boolean> =>
  new Promise((resolve) => {
    modals.open({
      title: `Pause ${name}?`,
      children: (
        <Text size="sm">
          This cancels {describeRuns(count)} of {name}: their tokens are rejected within a second,
          and what they reserved is charged. Its keys can only read until it is resumed.
        </Text>
      ),
      confirmation: {
        label: `Pause and cancel ${describeRuns(count)}`,
        cancel: 'Cancel',
        isDangerous: true,
        onConfirm: () => resolve(true),
      },
      onClose: () => resolve(false),
    });
  });

/**
 * Pauses an agent; has it confirmed first if that cancels runs. Returns what was done in words; null: it was
 * not wanted.
 */
export const pauseConfirmed = async (agent: Agent): Promise<string | null> => {
  const count = await countRunning(agent);
  if (count > 0 && !(await confirmCancelling(agent, count))) {
    return null;
  }
  await api.post('/api/agents/{agentId}/pause', { params: { path: { agentId: agent.id } } });
  return count === 0
    ? `${agent.name} paused.`
    : `${agent.name} paused, ${describeRuns(count)} cancelled.`;
};
