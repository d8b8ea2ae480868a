import { Button, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import type { Schema } from '@commonplace/client';
import { useQuery } from '@tanstack/react-query';
import { allAgentsQuery } from '../../api/agent-queries.ts';
import { useMoney } from '../../components/use-money.ts';
import { Form } from '../../components/form.tsx';
import { FormError } from '../../components/form-error.tsx';
import { FilterSelect } from '../../components/filter-select.tsx';
import { LimitFields } from '../../components/limit-fields.tsx';
import { reachProblem, type GrantChoice } from './grant-choice.ts';
import { GrantFields } from './grant-fields.tsx';
import { amountProblem, inputOf, tokensProblem, valuesOf, type AgentInput } from './agent-input.ts';

type Agent = Schema<'Agent'>;

type AgentFormProps = {
  readonly companyId: string;
  /** The agent to edit; absent for a new one. */
  readonly agent?: Agent;
  readonly submit: string;
  readonly error: unknown;
  readonly isPending: boolean;
  readonly onSubmit: (input: AgentInput) => void;
};

/** Name, role, manager and budget of an agent. */
export const AgentForm = (props: AgentFormProps) => {
  const { companyId, agent, submit, error, isPending, onSubmit } = props;
  const { digits } = useMoney();
  const form = useForm({
    initialValues: valuesOf(agent, digits),
    validate: problemsOf(agent, digits),
  });
  const managers = useManagers(companyId, agent);
  const grants = { ...form.getInputProps('grants'), value: form.values.grants };
  return (
    <Form
      isSaving={isPending}
      onSubmit={form.onSubmit((values) => onSubmit(inputOf(values, digits)))}
    >
      <Stack>
        <FormError form={form} error={error} />
        <TextInput
          label="Name"
          required
          maxLength={200}
          data-autofocus
          {...form.getInputProps('name')}
        />
        <TextInput
          label="Role"
          required
          maxLength={64}
          placeholder="researcher"
          {...form.getInputProps('role')}
        />
        <TextInput label="Title" maxLength={200} {...form.getInputProps('title')} />
        <FilterSelect
          label="Reports to"
          unset="No one"
          data={managers}
          searchable
          {...form.getInputProps('reportsTo')}
        />
        <LimitFields
          monthly={form.getInputProps('monthly')}
          tokens={form.getInputProps('tokens')}
        />
        <GrantFields companyId={companyId} label="Reaches" {...grants} />
        <Button type="submit" loading={isPending} style={{ alignSelf: 'flex-end' }}>
          {submit}
        </Button>
      </Stack>
    </Form>
  );
};

/** What is wrong with each field. An agent that reaches no note already may stay so. */
const problemsOf = (agent: Agent | undefined, digits: number) => ({
  monthly: (amount: string) => amountProblem(amount, digits),
  tokens: tokensProblem,
  grants: (grants: GrantChoice) => reachProblem(grants, agent?.grants),
});

const useManagers = (companyId: string, agent: Agent | undefined) => {
  const { data: agents = [] } = useQuery(allAgentsQuery(companyId));
  return agents
    .filter(({ id, status }) => id !== agent?.id && status !== 'terminated')
    .map(({ id, name, role }) => ({ value: id, label: `${name} (${role})` }));
};
