import { Button, Group, NumberInput, Select, Stack, TextInput } from '@mantine/core';
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
  const { data: agents = [] } = useQuery(allAgentsQuery(companyId));
  const monthlyCents = agent?.budget.monthlyCents ?? null;
  const form = useForm({
    initialValues: {
      name: agent?.name ?? '',
      title: agent?.title ?? '',
      role: agent?.role ?? '',
      reportsTo: agent?.reportsTo ?? null,
      monthly: (monthlyCents === null ? '' : monthlyCents / 100) as number | string,
    },
  });
  const managers = agents
    .filter(({ id, status }) => id !== agent?.id && status !== 'terminated')
    .map(({ id, name, role }) => ({ value: id, label: `${name} (${role})` }));
  const send = form.onSubmit(({ monthly, ...values }) =>
    onSubmit({
      ...values,
      budget: { monthlyCents: monthly === '' ? null : Math.round(Number(monthly) * 100) },
    }),
  );
  return (
    <form onSubmit={send}>
      <Stack>
        {error !== null && error !== undefined && <ErrorAlert error={error} />}
        <TextInput label="Name" required maxLength={200} data-autofocus {...form.getInputProps('name')} />
        <TextInput label="Role" required maxLength={64} placeholder="researcher" {...form.getInputProps('role')} />
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
        <Group justify="flex-end">
          <Button type="submit" loading={isPending}>
            {submit}
          </Button>
        </Group>
      </Stack>
    </form>
  );
};
