import { Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import type { Schema } from '@commonplace/client';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { api } from '../../api/api.ts';
import { keys } from '../../api/query-keys.ts';
import { CopyableId } from '../../components/copyable.tsx';
import { Form } from '../../components/form.tsx';
import { FormError } from '../../components/form-error.tsx';
import { SelectField } from '../../components/select-field.tsx';
import { Step } from './step.tsx';

type Agent = Schema<'Agent'>;

type AgentStepProps = {
  readonly companyId: string;
  readonly agents: readonly Agent[];
  /** The agent that the next steps are about. */
  readonly agent: Agent | null;
  readonly onChoose: (agentId: string) => void;
};

/** The agent: created here, or chosen among those of the company. */
export const AgentStep = ({ companyId, agents, agent, onChoose }: AgentStepProps) => (
  <Step
    number={2}
    title={agent ? `Agent: ${agent.name}` : 'Create an agent'}
    isDone={agent !== null}
  >
    {agent ? (
      <Stack gap="sm">
        {agents.length > 1 && (
          <SelectField
            label="Agent"
            maw={320}
            data={agents.map(({ id, name, role }) => ({ value: id, label: `${name} (${role})` }))}
            value={agent.id}
            allowDeselect={false}
            searchable
            onChange={(id) => id !== null && onChoose(id)}
          />
        )}
        <CopyableId label="Agent ID" text={agent.id} />
      </Stack>
    ) : (
      <AgentForm companyId={companyId} onCreated={onChoose} />
    )}
  </Step>
);

type AgentFormProps = {
  readonly companyId: string;
  readonly onCreated: (agentId: string) => void;
};

const AgentForm = ({ companyId, onCreated }: AgentFormProps) => {
  const form = useForm({ initialValues: { name: '', role: 'assistant' } });
  const client = useQueryClient();
  const create = useMutation({
    mutationFn: (body: { readonly name: string; readonly role: string }) =>
      api.post('/api/companies/{companyId}/agents', { params: { path: { companyId } }, body }),
    onSuccess: async ({ data }) => {
      await client.invalidateQueries({ queryKey: keys.agents(companyId) });
      onCreated(data.id);
    },
  });
  return (
    <Form isSaving={create.isPending} onSubmit={form.onSubmit((values) => create.mutate(values))}>
      <Stack gap="sm">
        <Text size="sm" c="dimmed">
          An agent is an automated caller: a program, a model, a script. Budget and manager can
          follow later.
        </Text>
        <FormError form={form} error={create.error} />
        <Group align="end">
          <TextInput
            label="Name"
            required
            withAsterisk={false}
            maxLength={200}
            {...form.getInputProps('name')}
          />
          <TextInput
            label="Role"
            required
            withAsterisk={false}
            maxLength={64}
            {...form.getInputProps('role')}
          />
          <Button type="submit" loading={create.isPending}>
            Create agent
          </Button>
        </Group>
      </Stack>
    </Form>
  );
};
