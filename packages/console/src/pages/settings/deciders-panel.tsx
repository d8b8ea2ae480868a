import { Button, Group, Stack } from '@mantine/core';
import { useForm } from '@mantine/form';
import { notifications } from '@mantine/notifications';
import type { Schema } from '@commonplace/client';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { api } from '../../api/api.ts';
import { keys } from '../../api/query-keys.ts';
import { ErrorAlert } from '../../components/error-alert.tsx';
import { Panel } from '../../components/panel.tsx';
import { SelectField } from '../../components/select-field.tsx';

type Company = Schema<'CompanyDetail'>;
type Deciders = Company['proposalsDecidedBy'];

const rule =
  'Agents that may decide do so where they may change all notes directly; no agent decides about its own proposals.';

const choices: readonly { readonly value: Deciders; readonly label: string }[] = [
  { value: 'operators', label: 'Operators and owners' },
  { value: 'agents', label: 'Operators, owners and agents' },
];

/** Who decides about proposals, for owners to change. */
export const DecidersPanel = ({ company }: { readonly company: Company }) => {
  const form = useForm({ initialValues: { deciders: company.proposalsDecidedBy } });
  const update = useUpdateDeciders(company.id);
  return (
    <Panel title="Proposals">
      <form onSubmit={form.onSubmit(({ deciders }) => update.mutate(deciders))}>
        <Stack>
          {update.isError && <ErrorAlert error={update.error} />}
          <SelectField
            label="Who decides about proposals"
            description={rule}
            allowDeselect={false}
            data={choices}
            {...form.getInputProps('deciders')}
          />
          <Group>
            <Button type="submit" disabled={!form.isDirty()} loading={update.isPending}>
              Save who decides
            </Button>
          </Group>
        </Stack>
      </form>
    </Panel>
  );
};

const useUpdateDeciders = (companyId: string) => {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (proposalsDecidedBy: Deciders) =>
      api.patch('/api/companies/{companyId}', {
        params: { path: { companyId } },
        body: { proposalsDecidedBy },
      }),
    onSuccess: () => {
      notifications.show({ message: 'Who decides about proposals changed.' });
      return client.invalidateQueries({ queryKey: keys.companies });
    },
  });
};
