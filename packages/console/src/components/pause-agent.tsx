import type { Schema } from '@commonplace/client';
import { Text } from '@mantine/core';
import { apiOf } from '../api/api.ts';
import { readLastChange, readRunning, readStatus, runsCounted } from '../api/agent-status.ts';
import { AlreadyDone } from './already-done.tsx';
import { CancelledRuns } from './cancelled-runs.tsx';
import { modals } from './modals.ts';

type Agent = Pick<Schema<'Agent'>, 'companyId' | 'id' | 'name'>;

/** What to say to the operator after a change; null: the change was not wanted. */
export type Outcome = React.ReactNode;

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

/** The agent and its runs as they are: the page may have been loaded before a colleague paused it. */
const look = (agent: Agent) => Promise.all([readStatus(agent), readRunning(agent)]);

/**
 * Pauses an agent; has it confirmed first if that cancels runs. Returns which runs that were and what they changed, or who
 * had paused it before.
 */
export const pauseConfirmed = async (agent: Agent): Promise<Outcome> => {
  let [status, runs] = await look(agent);
  if (status !== 'paused' && runs.length > 0) {
    if (!(await confirmCancelling(agent, runs.length))) {
      return null;
    }
    [status, runs] = await look(agent);
  }
  if (status === 'paused') {
    const before = await readLastChange(agent, 'agent.paused');
    return <AlreadyDone text={`${agent.name} was paused already`} before={before} />;
  }
  await apiOf(agent.companyId).post('/api/agents/{agentId}/pause', {
    params: { path: { agentId: agent.id } },
  });
  return runs.length === 0 ? (
    `${agent.name} paused.`
  ) : (
    <CancelledRuns
      text={`${agent.name} paused, ${describeRuns(runs.length)} cancelled.`}
      runs={runs}
    />
  );
};

/** Resumes an agent. Returns what to say, or who had resumed it before. */
export const resumeAgent = async (agent: Agent): Promise<Outcome> => {
  if ((await readStatus(agent)) === 'active') {
    const before = await readLastChange(agent, 'agent.resumed');
    return <AlreadyDone text={`${agent.name} was active already`} before={before} />;
  }
  await apiOf(agent.companyId).post('/api/agents/{agentId}/resume', {
    params: { path: { agentId: agent.id } },
  });
  return `${agent.name} resumed.`;
};
