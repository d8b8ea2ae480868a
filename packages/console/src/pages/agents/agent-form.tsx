import { Button, NumberInput, Select, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import type { Schema } from '@commonplace/client';
import { useQuery } from '@tanstack/react-query';
import { allAgentsQuery } from '../../api/agent-queries.ts';
import { ErrorAlert } from '../../components/error-alert.tsx';

type Agent = Schema<'Agent'>;

/** What an operator says about an agent. */
export type AgentInput = {
  readonly name: string;
  readonly title: string;
  readonly role: string;
  readonly reportsTo: string | null;
  readonly budget: { readonly monthlyCents: number | null };
};

type AgentFormProps = {
  readonly companyId: string;
  /** The agent that is changed; none when it is made. */
  readonly agent?: Agent;
  readonly submit: string;
  readonly error: unknown;
  readonly isPending: boolean;
  readonly onSubmit: (input: AgentInput) => void;
};

/** Name, role, manager and budget of an agent. */
export const AgentForm = (props: AgentFormProps) => {
  const { companyId, agent, submit, error, isPending, onSubmit } = props;
  const form = useForm({ initialValues: valuesOf(agent) });
  const managers = useManagers(companyId, agent);
  const send = form.onSubmit((values) => onSubmit(inputOf(values)));
  return (
    <form onSubmit={send}>
      <Stack>
        {error !== null && error !== undefined && <ErrorAlert error={error} />}
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
        <Select
          label="Reports to"
          placeholder="Nobody"
          data={managers}
          searchable
          clearable
          {...form.getInputProps('reportsTo')}
        />
        <NumberInput
          label="Monthly budget"
          description="Left empty, there is no limit."
          min={0}
          decimalScale={2}
          thousandSeparator=" "
          {...form.getInputProps('monthly')}
        />
        <Button type="submit" loading={isPending} style={{ alignSelf: 'flex-end' }}>
          {submit}
        </Button>
      </Stack>
    </form>
  );
};

const valuesOf = (agent: Agent | undefined) => {
  const monthlyCents = agent?.budget.monthlyCents ?? null;
  return {
    name: agent?.name ?? '',
    title: agent?.title ?? '',
    role: agent?.role ?? '',
    reportsTo: agent?.reportsTo ?? null,
    monthly: (monthlyCents === null ? '' : monthlyCents / 100) as number | string,
  };
};

const inputOf = ({ monthly, ...values }: ReturnType<typeof valuesOf>): AgentInput => ({
  ...values,
  budget: { monthlyCents: monthly === '' ? null : Math.round(Number(monthly) * 100) },
});

const useManagers = (companyId: string, agent: Agent | undefined) => {
  const { data: agents = [] } = useQuery(allAgentsQuery(companyId));
  return agents
    .filter(({ id, status }) => id !== agent?.id && status !== 'terminated')
    .map(({ id, name, role }) => ({ value: id, label: `${name} (${role})` }));
};
