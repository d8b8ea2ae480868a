import { Button } from '@mantine/core';
import { modals } from '../../components/modals.ts';
import { notifications } from '@mantine/notifications';
import type { Schema } from '@commonplace/client';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { apiOf } from '../../api/api.ts';
import { keys } from '../../api/query-keys.ts';
import { reloadWhenSettled } from '../../api/reload-when-settled.ts';
import { useCan } from '../../app/session/use-can.ts';
import { confirm } from '../../components/confirm.tsx';
import { ErrorAlert } from '../../components/error-alert.tsx';
import { useHeldModal } from '../../components/use-held-modal.ts';
import { useAgentStatus } from '../../components/use-agent-status.ts';
import { useOpenedByAddress } from '../../components/use-opened-by-address.ts';
import { openStopAndUndo, StopAndUndo } from '../undo/stop-and-undo.tsx';
import { AgentForm } from './agent-form.tsx';
import { changesOf, type AgentInput } from './agent-input.ts';

const route = getRouteApi('/signed-in/companies/$companyId/agents/$agentId');

type Agent = Schema<'Agent'>;

/** The actions on an agent. Viewers have none, and neither have terminated agents. */
export const AgentActions = ({ agent }: { readonly agent: Agent }) => {
  const can = useCan();
  const end = useTerminate();
  const undone = undoneOf(agent);
  const { open } = route.useSearch();
  const mayOpen = can.write && agent.status !== 'terminated';
  useOpenedByAddress({
    open,
    wanted: 'undo',
    mayOpen,
    openDialog: () => openStopAndUndo(undone),
  });
  useOpenedByAddress({ open, wanted: 'edit', mayOpen, openDialog: () => openEditAgent(agent) });
  if (!mayOpen) {
    return null;
  }
  const terminate = (): void =>
    confirm({
      title: `Terminate ${agent.name}?`,
      text: 'This cannot be undone. Its runs are cancelled and its keys are revoked.',
      confirm: 'Terminate agent',
      onConfirm: () => end.mutate(agent),
    });
  return (
    <>
      {end.isError && <ErrorAlert error={end.error} />}
      <Button variant="default" onClick={() => openEditAgent(agent)}>
        Edit
      </Button>
      <StatusButton agent={agent} />
      <StopAndUndo {...undone} />
      <Button color="red" variant="outline" onClick={terminate}>
        Terminate…
      </Button>
    </>
  );
};

/** One button, so that it keeps the focus where it becomes the other. */
const StatusButton = ({ agent }: { readonly agent: Agent }) => {
  const { isPending, mutate } = useAgentStatus();
  const [verb, label] =
    agent.status === 'active' ? (['pause', 'Pause'] as const) : (['resume', 'Resume'] as const);
  return (
    <Button
      variant={verb === 'pause' ? 'default' : 'filled'}
      loading={isPending}
      onClick={() => mutate({ agent, verb })}
    >
      {label}
    </Button>
  );
};

/** Everything that an agent wrote, for the dialog that takes it back. */
const undoneOf = ({ companyId, id: agentId, name, status }: Agent) => ({
  companyId,
  agentId,
  source: { agentId },
  what: `what ${name} wrote`,
  isEnded: status !== 'active',
});

const useTerminate = () => {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ companyId, id: agentId }: Agent) =>
      apiOf(companyId).post('/api/agents/{agentId}/terminate', { params: { path: { agentId } } }),
    onSuccess: () => notifications.show({ message: 'Agent terminated. Its keys were revoked.' }),
    // Also one whose response was lost may be terminated.
    onSettled: reloadWhenSettled(({ companyId }: Agent) =>
      client.invalidateQueries({ queryKey: keys.company(companyId) }),
    ),
  });
};

const openEditAgent = (agent: Agent): void => {
  modals.open({ title: `Edit ${agent.name}`, children: <EditAgent agent={agent} /> });
};

/** Sends only the changed fields, because others may have changed the rest in the meantime. */
const EditAgent = ({ agent }: { readonly agent: Agent }) => {
  const client = useQueryClient();
  const edit = useMutation({
    mutationFn: async (input: AgentInput): Promise<boolean> => {
      const body = changesOf(agent, input);
      const isChanged = Object.keys(body).length > 0;
      if (isChanged) {
        await apiOf(agent.companyId).patch('/api/agents/{agentId}', {
          params: { path: { agentId: agent.id } },
          body,
        });
      }
      return isChanged;
    },
    onSuccess: (isChanged, { name }) => {
      if (isChanged) {
        notifications.show({ message: `${name} was changed.` });
      }
    },
    onSettled: () => void client.invalidateQueries({ queryKey: keys.company(agent.companyId) }),
  });
  const close = useHeldModal(edit.isPending);
  return (
    <AgentForm
      companyId={agent.companyId}
      agent={agent}
      submit="Save"
      error={edit.error}
      isPending={edit.isPending}
      onSubmit={(input) => edit.mutate(input, { onSuccess: close })}
    />
  );
};
