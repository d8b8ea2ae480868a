import { Button, Group, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import type { Schema } from '@commonplace/client';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { api } from '../../api/api.ts';
import { keys } from '../../api/query-keys.ts';
import { ErrorAlert } from '../../components/error-alert.tsx';
import { ShownKey } from './shown-key.tsx';

const dayMs = 24 * 60 * 60 * 1000;

const daysMax = 3650;

/** Text and not a field of numbers, which would make "never" of a lone `-`. */
const daysProblem = (days: string): string | null =>
  days.trim() === '' || (/^\d+$/.test(days.trim()) && Number(days) >= 1 && Number(days) <= daysMax)
    ? null
    : `Give a number of days up to ${daysMax}, or leave it empty.`;

type KeyInput = { readonly name: string; readonly days: string };

const useCreateKey = ({ id: agentId, companyId }: Schema<'Agent'>) => {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ name, days }: KeyInput) =>
      api.post('/api/agents/{agentId}/keys', {
        params: { path: { agentId } },
        body: {
          name,
          ...(days.trim() === ''
            ? {}
            : { expiresAt: new Date(Date.now() + Number(days) * dayMs).toISOString() }),
        },
      }),
    onSuccess: () => client.invalidateQueries({ queryKey: keys.agent(companyId, agentId) }),
  });
};

/** Makes a key of an agent and shows it, this once. */
export const CreateKey = ({ agent }: { readonly agent: Schema<'Agent'> }) => {
  const form = useForm<KeyInput>({
    initialValues: { name: '', days: '' },
    validate: { days: daysProblem },
  });
  const create = useCreateKey(agent);
  if (create.data) {
    return <ShownKey value={create.data.data.key} />;
  }
  return (
    <form onSubmit={form.onSubmit((values) => create.mutate(values))}>
      <Stack>
        {create.isError && <ErrorAlert error={create.error} />}
        <TextInput
          label="Name"
          description="Where the key is used, so that it can be told from others."
          required
          maxLength={100}
          data-autofocus
          {...form.getInputProps('name')}
        />
        <TextInput
          label="Days until it expires"
          description="Left empty, it never does."
          inputMode="numeric"
          {...form.getInputProps('days')}
        />
        <Group justify="flex-end">
          <Button type="submit" loading={create.isPending}>
            Create key
          </Button>
        </Group>
      </Stack>
    </form>
  );
};
