import { Alert, Button, Group, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { api } from '../../api/api.ts';
import { keys } from '../../api/query-keys.ts';
import { reloadWhenSettled } from '../../api/reload-when-settled.ts';
import { Copyable } from '../../components/copyable.tsx';
import { Form } from '../../components/form.tsx';
import { FormError } from '../../components/form-error.tsx';
import { SelectField } from '../../components/select-field.tsx';
import { ShownOnce } from '../../components/shown-once.tsx';
import { useHeldModal } from '../../components/use-held-modal.ts';
import {
  grantsOf,
  reachProblem,
  readingChoiceOf,
  type GrantChoice,
} from '../agents/grant-choice.ts';
import { GrantFields } from '../agents/grant-fields.tsx';
import { roles, type Role } from './roles.ts';

type InviteInput = {
  readonly email: string;
  readonly role: Role;
  readonly reach: GrantChoice;
};

/** Creates an invite; the dialog stays while the link is on its way. */
const useInvite = (companyId: string) => {
  const client = useQueryClient();
  const invite = useMutation({
    mutationFn: ({ email, role, reach }: InviteInput) =>
      api.post('/api/companies/{companyId}/invites', {
        params: { path: { companyId } },
        body: { email, role, grants: role === 'viewer' ? grantsOf(reach) : null },
      }),
    // Also an invite whose link was lost on its way is listed, and can be withdrawn.
    onSettled: reloadWhenSettled<unknown>(() =>
      client.invalidateQueries({ queryKey: keys.invites(companyId) }),
    ),
  });
  useHeldModal(invite.isPending);
  return invite;
};

/** Creates an invite and displays its link once. */
export const InviteForm = ({ companyId }: { readonly companyId: string }) => {
  const form = useForm<InviteInput>({
    initialValues: { email: '', role: 'operator', reach: readingChoiceOf(null) },
    validate: {
      reach: (reach, { role }) => (role === 'viewer' ? reachProblem(reach) : null),
    },
  });
  const invite = useInvite(companyId);
  if (invite.data) {
    return <OneTimeLink url={invite.data.data.url} />;
  }
  return (
    <Form isSaving={invite.isPending} onSubmit={form.onSubmit((values) => invite.mutate(values))}>
      <Stack>
        <FormError form={form} error={invite.error} />
        <TextInput
          label="Email"
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
        {form.values.role === 'viewer' && (
          <GrantFields
            companyId={companyId}
            label="Reaches"
            {...form.getInputProps('reach')}
            value={form.values.reach}
            isReadOnly
          />
        )}
        <Group justify="flex-end">
          <Button type="submit" loading={invite.isPending}>
            Create invite
          </Button>
        </Group>
      </Stack>
    </Form>
  );
};

const OneTimeLink = ({ url }: { readonly url: string }) => (
  <ShownOnce what="the link">
    {(onCopied) => (
      <>
        <Alert color="yellow" role="status">
          Send this link to the person you invite. It is shown only once, works once and expires in
          72 hours.
        </Alert>
        <Copyable label="Invite link" text={url} onCopied={onCopied} />
      </>
    )}
  </ShownOnce>
);
