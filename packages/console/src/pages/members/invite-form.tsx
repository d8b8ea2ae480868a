import { Alert, Button, Code, CopyButton, Group, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import type { Schema } from '@commonplace/client';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { api } from '../../api/api.ts';
import { keys } from '../../api/query-keys.ts';
import { ErrorAlert } from '../../components/error-alert.tsx';
import { SelectField } from '../../components/select-field.tsx';

type Role = Schema<'Member'>['role'];

const roles: readonly { readonly value: Role; readonly label: string }[] = [
  { value: 'viewer', label: 'Viewer: reads everything' },
  { value: 'operator', label: 'Operator: works with agents, keys, runs and notes' },
  { value: 'owner', label: 'Owner: also members and the company itself' },
];

/** Asks somebody to join, and shows the link, this once. */
export const InviteForm = ({ companyId }: { readonly companyId: string }) => {
  const client = useQueryClient();
  const form = useForm({ initialValues: { email: '', role: 'operator' as Role } });
  const invite = useMutation({
    mutationFn: (body: typeof form.values) =>
      api.post('/api/companies/{companyId}/invites', { params: { path: { companyId } }, body }),
    onSuccess: () => client.invalidateQueries({ queryKey: keys.invites(companyId) }),
  });
  if (invite.data) {
    return <ShownLink url={invite.data.data.url} />;
  }
  return (
    <form onSubmit={form.onSubmit((values) => invite.mutate(values))}>
      <Stack>
        {invite.isError && <ErrorAlert error={invite.error} />}
        <TextInput
          label="E-mail"
          type="email"
          required
          data-autofocus
          {...form.getInputProps('email')}
        />
        <SelectField
          label="Role"
          data={[...roles]}
          allowDeselect={false}
          {...form.getInputProps('role')}
        />
        <Group justify="flex-end">
          <Button type="submit" loading={invite.isPending}>
            Create invite
          </Button>
        </Group>
      </Stack>
    </form>
  );
};

const ShownLink = ({ url }: { readonly url: string }) => (
  <Stack>
    <Alert color="yellow" role="status">
      Send this link to the person: it is shown once, works once, and for 72 hours.
    </Alert>
    <Code block tabIndex={0} aria-label="Invite link">
      {url}
    </Code>
    <CopyButton value={url}>
      {({ copied, copy }) => (
        <Button variant="default" onClick={copy}>
          {copied ? 'Copied' : 'Copy link'}
        </Button>
      )}
    </CopyButton>
  </Stack>
);
