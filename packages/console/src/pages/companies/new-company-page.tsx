import { Button, Group, Paper, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { api } from '../../api/api.ts';
import { keys } from '../../api/query-keys.ts';
import { RequirePermission } from '../../app/session/require-permission.tsx';
import { Form } from '../../components/form.tsx';
import { FormError } from '../../components/form-error.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { useIsAt } from '../../components/use-is-at.ts';

/** Creates a company, owned by its creator. For administrators. */
export const NewCompanyPage = () => (
  <RequirePermission permission="administrate">
    <NewCompany />
  </RequirePermission>
);

const NewCompany = () => {
  const form = useForm({ initialValues: { name: '' } });
  const create = useCreateCompany();
  return (
    <>
      <PageHeader title="Create a company" description="You will be its owner." />
      <Paper className="panel" withBorder p="lg" maw={520}>
        <Form
          isSaving={create.isPending}
          onSubmit={form.onSubmit(({ name }) => create.mutate(name))}
        >
          <Stack>
            <FormError form={form} error={create.error} />
            <TextInput
              label="Name"
              maxLength={200}
              required
              withAsterisk={false}
              {...form.getInputProps('name')}
            />
            <Group>
              <Button type="submit" loading={create.isPending}>
                Create company
              </Button>
            </Group>
          </Stack>
        </Form>
      </Paper>
    </>
  );
};

const useCreateCompany = () => {
  const client = useQueryClient();
  const navigate = useNavigate();
  const isAt = useIsAt();
  return useMutation({
    mutationFn: (name: string) => api.post('/api/companies', { body: { name } }),
    onSuccess: async ({ data: company }) => {
      // The session lists the roles, including that in the new company.
      await Promise.all([
        client.refetchQueries({ queryKey: keys.session, exact: true }),
        client.refetchQueries({ queryKey: keys.companies, exact: true }),
      ]);
      if (isAt('/companies/new')) {
        await navigate({ to: '/companies/$companyId/begin', params: { companyId: company.id } });
      } else {
        notifications.show({ message: `The company ${company.name} was created.` });
      }
    },
  });
};
