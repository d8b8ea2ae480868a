import { Box, Button, Group, Paper, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import type { Schema } from '@commonplace/client';
import { useSuspenseQuery } from '@tanstack/react-query';
import { companyQuery } from '../../api/company-queries.ts';
import { useCan } from '../../app/session/use-can.ts';
import { useCompanyId } from '../../api/use-company-id.ts';
import { confirm } from '../../components/confirm.tsx';
import { CopyableId } from '../../components/copyable.tsx';
import { ErrorAlert } from '../../components/error-alert.tsx';
import { Form } from '../../components/form.tsx';
import { FormError } from '../../components/form-error.tsx';
import { ButtonLink, TextLink } from '../../components/links.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { RelativeTime } from '../../components/relative-time.tsx';
import { SelectField } from '../../components/select-field.tsx';
import { useSavedValues } from '../../components/use-saved-values.ts';
import { CompanyBudgetPanel } from './company-budget-form.tsx';
import { DecidersPanel } from './deciders-panel.tsx';
import { SearchPanel } from './search-panel.tsx';
import { useUpdateCompany } from './use-update-company.ts';
import { SectionTitle } from '../../components/section-title.tsx';

type Company = Schema<'Company'>;

/** The settings of a company: owners rename, archive and restore it, set its currency and who decides about proposals. */
export const SettingsPage = () => {
  const { data: company } = useSuspenseQuery(companyQuery(useCompanyId()));
  const can = useCan();
  return (
    <>
      <PageHeader
        title="Settings"
        description={
          <>
            <bdi>{company.name}</bdi>, created <RelativeTime at={company.createdAt} />
          </>
        }
        actions={
          can.administrate && (
            <ButtonLink to="/companies/new" variant="default">
              New company
            </ButtonLink>
          )
        }
      />
      <Stack maw={620} gap="lg">
        <Paper className="panel" withBorder p="lg">
          {can.manage ? (
            <CompanyForm company={company} />
          ) : (
            <Text>
              {company.name}, which counts in {company.currency}
            </Text>
          )}
          <Box mt="md">
            <CopyableId label="Company ID" text={company.id} />
          </Box>
        </Paper>
        <CompanyBudgetPanel company={company} canChange={can.manage} />
        {can.manage && <DecidersPanel company={company} />}
        <SearchPanel canSwitch={can.own && company.status === 'active'} />
        {can.own && <ArchivePanel company={company} />}
      </Stack>
      <Text mt="lg">
        <TextLink to="/companies/$companyId/credentials" params={{ companyId: company.id }}>
          Keys and connections of all agents
        </TextLink>
      </Text>
    </>
  );
};

const CompanyForm = ({ company }: { readonly company: Company }) => {
  const { name, currency } = company;
  const form = useForm({ initialValues: { name, currency } });
  useSavedValues(form, { name, currency });
  const update = useUpdateCompany(company.id);
  const save = form.onSubmit((values) =>
    update.mutate(
      {
        ...(values.name === name ? {} : { name: values.name }),
        ...(values.currency === currency ? {} : { currency: values.currency }),
      },
      // As the server writes it.
      { onSuccess: () => form.reset() },
    ),
  );
  return (
    <Form isSaving={update.isPending} onSubmit={save}>
      <Stack>
        <FormError form={form} error={update.error} />
        <TextInput
          label="Name"
          maxLength={200}
          required
          withAsterisk={false}
          {...form.getInputProps('name')}
        />
        <SelectField
          label="Currency"
          description="Budgets and costs keep their numbers when it changes; nothing is converted."
          searchable
          allowDeselect={false}
          data={currencies()}
          {...form.getInputProps('currency')}
        />
        <Group>
          <Button type="submit" disabled={!form.isDirty()} loading={update.isPending}>
            Save
          </Button>
        </Group>
      </Stack>
    </Form>
  );
};

/** All currencies by code, with their names. */
const currencies = (): readonly { readonly value: string; readonly label: string }[] => {
  const names = new Intl.DisplayNames(undefined, { type: 'currency' });
  return Intl.supportedValuesOf('currency').map((value) => ({
    value,
    label: `${value}, ${names.of(value) ?? value}`,
  }));
};

const ArchivePanel = ({ company }: { readonly company: Company }) => {
  const update = useUpdateCompany(company.id);
  const setStatus = (status: Company['status']): void => update.mutate({ status });
  const isArchived = company.status === 'archived';
  const archive = () =>
    confirm({
      title: `Archive ${company.name}?`,
      text: 'Its agents lose access, running runs end, and it is read-only until an owner restores it. Connected apps are disconnected for good: they have to be connected again.',
      confirm: 'Archive company',
      onConfirm: () => setStatus('archived'),
    });
  return (
    <Paper className="panel" withBorder p="lg">
      <Stack align="start">
        <SectionTitle>{isArchived ? 'Restore' : 'Archive'}</SectionTitle>
        <Text size="sm" c="dimmed">
          {isArchived
            ? 'Makes the company active again. Its agents regain access by their keys; apps have to be connected again.'
            : 'Makes the company read-only. Its agents lose access; members can still read everything.'}
        </Text>
        {update.isError && <ErrorAlert error={update.error} />}
        {isArchived ? (
          <Button loading={update.isPending} onClick={() => setStatus('active')}>
            Restore company
          </Button>
        ) : (
          <Button color="red" variant="outline" loading={update.isPending} onClick={archive}>
            Archive company…
          </Button>
        )}
      </Stack>
    </Paper>
  );
};
