import { Badge, Button, Stack, Table, Text } from '@mantine/core';
import type { Schema } from '@commonplace/client';
import { notifications } from '@mantine/notifications';
import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query';
import { api } from '../../api/api.ts';
import { invalidateMembers, invitesQuery } from '../../api/company-queries.ts';
import { keys } from '../../api/query-keys.ts';
import { unlessGone } from '../../api/unless-gone.ts';
import { useCan } from '../../app/session/use-can.ts';
import { useCompanyId } from '../../api/use-company-id.ts';
import { reloadWhenSettled } from '../../api/reload-when-settled.ts';
import { confirm } from '../../components/confirm.tsx';
import { ErrorAlert } from '../../components/error-alert.tsx';
import { ListBody } from '../../components/list-body.tsx';
import { RelativeTime } from '../../components/relative-time.tsx';
import { RowHeader } from '../../components/row-header.tsx';
import { TableScroll } from '../../components/table-scroll.tsx';
import { Granted } from '../agents/granted.tsx';
import { SectionTitle } from '../../components/section-title.tsx';

/** The invites that have not been accepted. */
export const InviteList = () => {
  const companyId = useCompanyId();
  const query = useInfiniteQuery(invitesQuery(companyId));
  return (
    <Stack mt="xl">
      <SectionTitle>Pending invites</SectionTitle>
      <ListBody
        query={query}
        found={{ noun: 'invite' }}
        empty={<Text c="dimmed">No pending invites.</Text>}
      >
        {(invites) => (
          <TableScroll label="Pending invites" minWidth={480}>
            <Table verticalSpacing="sm">
              <Table.Thead>
                <Table.Tr>
                  <Table.Th>Email</Table.Th>
                  <Table.Th>Role</Table.Th>
                  <Table.Th>Expires</Table.Th>
                  <Table.Th aria-label="Actions" />
                </Table.Tr>
              </Table.Thead>
              <Table.Tbody>
                {invites.map((invite) => (
                  <InviteRow key={invite.id} invite={invite} companyId={companyId} />
                ))}
              </Table.Tbody>
            </Table>
          </TableScroll>
        )}
      </ListBody>
    </Stack>
  );
};

type InviteRowProps = { readonly invite: Schema<'Invite'>; readonly companyId: string };

const InviteRow = ({
  invite: { id, email, role, grants, expiresAt },
  companyId,
}: InviteRowProps) => {
  const can = useCan();
  const withdraw = useWithdraw(companyId, { id, email });
  const confirmWithdrawal = (): void =>
    confirm({
      title: `Withdraw the invite of ${email}?`,
      text: 'Its link no longer works. Another invite has a link of its own.',
      confirm: 'Withdraw invite',
      onConfirm: () => withdraw.mutate(),
    });
  return (
    <Table.Tr>
      <RowHeader>{email}</RowHeader>
      <Table.Td>
        <Badge variant="light">{role}</Badge>
        <Granted grants={grants} />
      </Table.Td>
      <Table.Td>
        <RelativeTime at={expiresAt} />
      </Table.Td>
      <Table.Td ta="right">
        {withdraw.isError && <ErrorAlert error={withdraw.error} />}
        {can.manage && (
          <Button
            size="xs"
            variant="default"
            aria-label={`Withdraw the invite of ${email}`}
            loading={withdraw.isPending}
            onClick={confirmWithdrawal}
          >
            Withdraw
          </Button>
        )}
      </Table.Td>
    </Table.Tr>
  );
};

const useWithdraw = (companyId: string, { id, email }: Pick<Schema<'Invite'>, 'id' | 'email'>) => {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () =>
      unlessGone(
        api.delete('/api/companies/{companyId}/invites/{inviteId}', {
          params: { path: { companyId, inviteId: id } },
        }),
      ),
    onSuccess: (isFound) =>
      notifications.show({
        message: isFound
          ? `The invite of ${email} was withdrawn.`
          : `The invite of ${email} is no longer there: it was withdrawn, used, or has expired.`,
      }),
    onSettled: reloadWhenSettled(() =>
      Promise.all([
        client.invalidateQueries({ queryKey: keys.invites(companyId) }),
        // Who used it is a member by now.
        invalidateMembers(client, companyId),
      ]),
    ),
  });
};
