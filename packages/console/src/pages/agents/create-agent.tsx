import { notifications } from '@mantine/notifications';
import { modals } from '../../components/modals.ts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { api } from '../../api/api.ts';
import { keys } from '../../api/query-keys.ts';
import { AgentForm } from './agent-form.tsx';
import type { AgentInput } from './agent-input.ts';

/** Opens the form for a new agent, and then the page of that agent. */
export const openCreateAgent = (companyId: string): void => {
  const dialog = modals.open({
    title: 'New agent',
    children: (
      <CreateAgent
        companyId={companyId}
        isOpen={() => modals.has(dialog)}
        onDone={() => modals.close(dialog)}
      />
    ),
  });
};

type CreateAgentProps = {
  readonly companyId: string;
  readonly isOpen: () => boolean;
  readonly onDone: () => void;
};

const CreateAgent = ({ companyId, isOpen, onDone }: CreateAgentProps) => {
  const client = useQueryClient();
  const navigate = useNavigate();
  const create = useMutation({
    mutationFn: (body: AgentInput) =>
      api.post('/api/companies/{companyId}/agents', { params: { path: { companyId } }, body }),
    onSuccess: async ({ data }) => {
      void client.invalidateQueries({ queryKey: keys.agents(companyId) });
      // Who closed the dialog meanwhile goes on with something else.
      if (!isOpen()) {
        notifications.show({ message: `The agent ${data.name} was created.` });
        return;
      }
      onDone();
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
