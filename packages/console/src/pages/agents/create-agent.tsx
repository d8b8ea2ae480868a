import { modals } from '@mantine/modals';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { api } from '../../api/api.ts';
import { keys } from '../../api/query-keys.ts';
import { AgentForm, type AgentInput } from './agent-form.tsx';

/** Opens the form that makes an agent, and leads to what it made. */
export const openCreateAgent = (companyId: string): void => {
  modals.open({ title: 'New agent', children: <CreateAgent companyId={companyId} /> });
};

const CreateAgent = ({ companyId }: { readonly companyId: string }) => {
  const client = useQueryClient();
  const navigate = useNavigate();
  const create = useMutation({
    mutationFn: (body: AgentInput) =>
      api.post('/api/companies/{companyId}/agents', { params: { path: { companyId } }, body }),
    onSuccess: async ({ data }) => {
      modals.closeAll();
      await client.invalidateQueries({ queryKey: keys.agents(companyId) });
      await navigate({
        to: '/companies/$companyId/agents/$agentId',
        params: { companyId, agentId: data.id },
      });
    },
  });
  return (
    <AgentForm
      companyId={companyId}
      submit="Create agent"
      error={create.error}
      isPending={create.isPending}
      onSubmit={create.mutate}
    />
  );
};
