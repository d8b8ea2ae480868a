import { notifications } from '@mantine/notifications';
import type { Schema } from '@commonplace/client';
import { modals } from '../../components/modals.ts';
import { useHeldModal } from '../../components/use-held-modal.ts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { api } from '../../api/api.ts';
import { keys } from '../../api/query-keys.ts';
import { AgentForm } from './agent-form.tsx';
import type { AgentInput } from './agent-input.ts';

/** Opens the form for a new agent, and then the page of that agent. */
export const openCreateAgent = (companyId: string): void => {
  modals.open({ title: 'New agent', children: <CreateAgent companyId={companyId} /> });
};

const CreateAgent = ({ companyId }: { readonly companyId: string }) => {
  const client = useQueryClient();
  const navigate = useNavigate();
  const create = useMutation({
    mutationFn: async (body: AgentInput) => {
      const params = { path: { companyId } };
      return (await api.post('/api/companies/{companyId}/agents', { params, body })).data;
    },
    onSuccess: ({ name }) => {
      notifications.show({ message: `The agent ${name} was created.` });
      void client.invalidateQueries({ queryKey: keys.agents(companyId) });
    },
  });
  const close = useHeldModal(create.isPending);
  // Not where the operator went back meanwhile, which closes the dialog.
  const open = ({ id: agentId }: Schema<'Agent'>): void => {
    close();
    void navigate({
      to: '/companies/$companyId/agents/$agentId',
      params: { companyId, agentId },
    });
  };
  return (
    <AgentForm
      companyId={companyId}
      submit="Create agent"
      error={create.error}
      isPending={create.isPending}
      onSubmit={(input) => create.mutate(input, { onSuccess: open })}
    />
  );
};
