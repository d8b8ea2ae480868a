import { Button, Group, Stack, Text } from '@mantine/core';
import type { Schema } from '@commonplace/client';
import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient, useSuspenseQuery } from '@tanstack/react-query';
import { api } from '../../api/api.ts';
import { invalidateMembers } from '../../api/company-queries.ts';
import { sessionQuery } from '../../api/session-queries.ts';
import { reloadWhenSettled } from '../../api/reload-when-settled.ts';
import { ErrorAlert } from '../../components/error-alert.tsx';
import { useHeldModal } from '../../components/use-held-modal.ts';
import { describeGrants } from '../agents/grant-choice.ts';
import { roles, type Role } from './roles.ts';

type ChangeRoleProps = {
  readonly companyId: string;
  readonly member: Schema<'Member'>;
  readonly role: Role;
};

/**
 * Confirms another role of a member in a dialog. It stays, and names the change, while the operator confirms who they
 * are and if the change is refused.
 */
export const ChangeRole = ({ companyId, member, role }: ChangeRoleProps) => {
  const { data: session } = useSuspenseQuery(sessionQuery);
  const isOwn = session.operator.id === member.operatorId;
  const change = useChangeRole({ companyId, member, role });
  const close = useHeldModal(change.isPending);
  const reach = reachText(member, role);
  return (
    <Stack>
      {change.isError && <ErrorAlert error={change.error} />}
      <Text size="sm">
        <b>{member.name}</b> is {member.role} now. The new role:
      </Text>
      <Text size="sm">{roles.find(({ value }) => value === role)?.label}</Text>
      {reach !== null && <Text size="sm">{reach}</Text>}
      {isOwn && (
        <Text size="sm" fw={600}>
          This is your own role: only another owner can give it back to you.
        </Text>
      )}
      <Group justify="flex-end">
        <Button variant="default" data-autofocus disabled={change.isPending} onClick={close}>
          Cancel
        </Button>
        <Button
          {...(isOwn && { color: 'red' })}
          loading={change.isPending}
          onClick={() => change.mutate(undefined, { onSuccess: close })}
        >
          Change to {role}
        </Button>
      </Group>
    </Stack>
  );
};

/** What becomes of the folders, which only viewers have: nothing brings them back. */
const reachText = ({ grants }: Schema<'Member'>, role: Role): string | null => {
  if (role === 'viewer') {
    return 'Viewers read all notes, until folders are chosen for them.';
  }
  return grants === null
    ? null
    : `They reach all notes then, not only ${describeGrants(grants)}. As a viewer again, they read all notes until folders are chosen.`;
};

const useChangeRole = ({ companyId, member: { operatorId, name }, role }: ChangeRoleProps) => {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () =>
      api.patch('/api/companies/{companyId}/members/{operatorId}', {
        params: { path: { companyId, operatorId } },
        body: { role },
      }),
    onSuccess: () => notifications.show({ message: `${name} is ${role} now.` }),
    onSettled: reloadWhenSettled(() => invalidateMembers(client, companyId)),
  });
};
