import { Button, Group, Stack } from '@mantine/core';
import { useForm } from '@mantine/form';
import type { Schema } from '@commonplace/client';
import { Form } from '../../components/form.tsx';
import { FormError } from '../../components/form-error.tsx';
import { Panel } from '../../components/panel.tsx';
import { SelectField } from '../../components/select-field.tsx';
import { useSavedValues } from '../../components/use-saved-values.ts';
import { deciderWords } from './decider-words.ts';
import { useUpdateCompany } from './use-update-company.ts';

type Company = Schema<'CompanyDetail'>;

const rule =
  'Agents that may decide do so where they may change all notes directly; no agent decides about its own proposals.';

const choices = Object.entries(deciderWords).map(([value, label]) => ({ value, label }));

/** Who decides about proposals, for owners to change. */
export const DecidersPanel = ({ company }: { readonly company: Company }) => {
  const { proposalsDecidedBy } = company;
  const form = useForm({ initialValues: { proposalsDecidedBy } });
  useSavedValues(form, { proposalsDecidedBy });
  const update = useUpdateCompany(company.id);
  return (
    <Panel title="Proposals">
      <Form isSaving={update.isPending} onSubmit={form.onSubmit((values) => update.mutate(values))}>
        <Stack>
          <FormError form={form} error={update.error} />
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
      </Form>
    </Panel>
  );
};
