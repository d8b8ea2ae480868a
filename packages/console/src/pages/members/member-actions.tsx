import { Button } from '@mantine/core';
import type { Schema } from '@commonplace/client';
import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient, useSuspenseQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { api } from '../../api/api.ts';
import { companiesQuery, companyQuery, invalidateMembers } from '../../api/company-queries.ts';
import { isNotFound, isNotInCompany } from '../../api/problems.ts';
import { reloadWhenSettled } from '../../api/reload-when-settled.ts';
import { unlessGone } from '../../api/unless-gone.ts';
import { useCompanyId } from '../../api/use-company-id.ts';
import { confirm } from '../../components/confirm.tsx';
import { ErrorAlert } from '../../components/error-alert.tsx';
import { modals } from '../../components/modals.ts';
import { useIsIn } from '../../components/use-is-at.ts';
import { MemberFolders } from './member-folders.tsx';

type MemberProps = { readonly member: Schema<'Member'> };

/** Chooses the folders of a viewer in a dialog. */
export const FoldersButton = ({ member }: MemberProps) => {
  const companyId = useCompanyId();
  const title = `Folders of ${member.name}`;
  const open = (): void => {
    const children = <MemberFolders companyId={companyId} member={member} />;
    modals.open({ title, size: 'lg', children });
  };
  return (
    <Button size="xs" variant="default" aria-label={title} onClick={open}>
      Folders…
    </Button>
  );
};

/** Removes a member. Its row says why not: the list may be long. */
export const RemoveButton = ({ member }: MemberProps) => {
  const { name } = member;
  const remove = useRemoval(member, {
    isGone: isNotFound,
    onSuccess: () => notifications.show({ message: `${name} removed.` }),
  });
  const confirmRemoval = (): void =>
    confirm({
      title: `Remove ${name}?`,
      text: 'They lose access to this company within a second. Runs that they started are cancelled, and what they connected ends.',
      confirm: 'Remove member',
      onConfirm: () => remove.mutate(),
    });
  return (
    <>
      {remove.isError && <ErrorAlert error={remove.error} />}
      <Button
        size="xs"
        variant="default"
        aria-label={`Remove ${name}`}
        loading={remove.isPending}
        onClick={confirmRemoval}
      >
        Remove
      </Button>
    </>
  );
};

/** Leaves the company; then another one opens. */
export const LeaveButton = ({ member }: MemberProps) => {
  const { data: company } = useSuspenseQuery(companyQuery(useCompanyId()));
  const client = useQueryClient();
  const navigate = useNavigate();
  const isIn = useIsIn();
  const leave = useRemoval(member, {
    // Who has left already is no member, and so may not even know that.
    isGone: isNotInCompany,
    onSuccess: async () => {
      notifications.show({ message: `You left ${company.name}.` });
      // Without it the page that opens says that the operator is no member.
      await client.fetchQuery({ ...companiesQuery, staleTime: 0 }).catch(() => undefined);
      // Not from where the operator has gone meanwhile.
      if (isIn(`/companies/${company.id}`)) {
        await navigate({ to: '/' });
      }
    },
  });
  const confirmLeaving = (): void =>
    confirm({
      title: `Leave ${company.name}?`,
      text: 'You lose access to this company within a second, and only one of its owners can invite you again. Runs that you started are cancelled, and what you connected ends.',
      confirm: 'Leave company',
      onConfirm: () => leave.mutate(),
    });
  return (
    <>
      {leave.isError && <ErrorAlert error={leave.error} />}
      <Button size="xs" variant="default" loading={leave.isPending} onClick={confirmLeaving}>
        Leave
      </Button>
    </>
  );
};

type RemovalOptions = {
  /** Whether the error says that it is no member. */
  readonly isGone: (error: unknown) => boolean;
  readonly onSuccess: () => unknown;
};

const useRemoval = (
  { operatorId }: MemberProps['member'],
  { isGone, onSuccess }: RemovalOptions,
) => {
  const companyId = useCompanyId();
  const client = useQueryClient();
  return useMutation({
    mutationFn: () =>
      unlessGone(
        api.delete('/api/companies/{companyId}/members/{operatorId}', {
          params: { path: { companyId, operatorId } },
        }),
        isGone,
      ),
    onSuccess,
    onSettled: reloadWhenSettled(() => invalidateMembers(client, companyId)),
  });
};
