import { Button, Group, Stack } from '@mantine/core';
import { useForm } from '@mantine/form';
import type { Schema } from '@commonplace/client';
import { ErrorAlert } from '../../components/error-alert.tsx';
import { Panel } from '../../components/panel.tsx';
import { SelectField } from '../../components/select-field.tsx';
import { useUpdateCompany } from './use-update-company.ts';

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
  const form = useForm({ initialValues: { proposalsDecidedBy: company.proposalsDecidedBy } });
  const update = useUpdateCompany(company.id);
  return (
    <Panel title="Proposals">
      <form onSubmit={form.onSubmit((values) => update.mutate(values))}>
        <Stack>
          {update.isError && <ErrorAlert error={update.error} />}
          <SelectField
            label="Who decides about proposals"
            description={rule}
            allowDeselect={false}
            data={choices}
            {...form.getInputProps('proposalsDecidedBy')}
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
