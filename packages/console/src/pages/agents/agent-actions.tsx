import { Button } from '@mantine/core';
import { modals } from '@mantine/modals';
import { notifications } from '@mantine/notifications';
import type { Schema } from '@commonplace/client';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { api } from '../../api/api.ts';
import { keys } from '../../api/query-keys.ts';
import { useCan } from '../../app/use-can.ts';
import { confirm } from '../../components/confirm.tsx';
import { ErrorAlert } from '../../components/error-alert.tsx';
import { AgentForm, type AgentInput } from './agent-form.tsx';

type Agent = Schema<'Agent'>;
type Verb = 'pause' | 'resume' | 'terminate';

const done: Readonly<Record<Verb, string>> = {
  pause: 'Paused. Its running runs were cancelled.',
  resume: 'Resumed.',
  terminate: 'Terminated. Its keys are revoked.',
};

/** What can be done to an agent as a whole; nothing for viewers, and nothing once it is terminated. */
export const AgentActions = ({ agent }: { readonly agent: Agent }) => {
  const can = useCan();
  const act = useAct(agent);
  if (!can.write || agent.status === 'terminated') {
    return null;
  }
  const terminate = (): void =>
    confirm({
      title: `Terminate ${agent.name}?`,
      text: 'This is final: its runs are cancelled, its keys revoked, and it never comes back.',
      confirm: 'Terminate agent',
      onConfirm: () => act.mutate('terminate'),
    });
  return (
    <>
      {act.isError && <ErrorAlert error={act.error} />}
      <Button
        variant="default"
        onClick={() =>
          modals.open({ title: `Edit ${agent.name}`, children: <EditAgent agent={agent} /> })
        }
      >
        Edit
      </Button>
      {agent.status === 'active' ? (
        <Button variant="default" loading={act.isPending} onClick={() => act.mutate('pause')}>
          Pause
        </Button>
      ) : (
        <Button loading={act.isPending} onClick={() => act.mutate('resume')}>
          Resume
        </Button>
      )}
      <Button color="red" variant="outline" onClick={terminate}>
        Terminate…
      </Button>
    </>
  );
};

const useAct = ({ id: agentId, companyId }: Agent) => {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (verb: Verb) =>
      api.post(`/api/agents/{agentId}/${verb}`, { params: { path: { agentId } } }),
    onSuccess: (_, verb) => {
      notifications.show({ message: done[verb] });
      return client.invalidateQueries({ queryKey: keys.company(companyId) });
    },
  });
};

const EditAgent = ({ agent }: { readonly agent: Agent }) => {
  const client = useQueryClient();
  const edit = useMutation({
    mutationFn: (body: AgentInput) =>
      api.patch('/api/agents/{agentId}', { params: { path: { agentId: agent.id } }, body }),
    onSuccess: () => {
      modals.closeAll();
      return client.invalidateQueries({ queryKey: keys.company(agent.companyId) });
    },
  });
  return (
    <AgentForm
      companyId={agent.companyId}
      agent={agent}
      submit="Save"
      error={edit.error}
      isPending={edit.isPending}
      onSubmit={edit.mutate}
    />
  );
};
