import { Button } from '@mantine/core';
import { modals } from '../../components/modals.ts';
import { useSuspenseQuery } from '@tanstack/react-query';
import { IconUserPlus } from '@tabler/icons-react';
import { sessionQuery } from '../../api/session-queries.ts';
import { useCan } from '../../app/session/use-can.ts';
import { useCompanyId } from '../../api/use-company-id.ts';
import { PageHeader } from '../../components/page-header.tsx';
import { InviteForm } from './invite-form.tsx';
import { InviteList } from './invite-list.tsx';
import { MemberList } from './member-list.tsx';

/** The members of the company and its pending invites. */
export const MembersPage = () => {
  const companyId = useCompanyId();
  const can = useCan();
  const { data: session } = useSuspenseQuery(sessionQuery);
  // Local trusted mode has no accounts to invite.
  const hasInvites = session.mode !== 'local_trusted';
  return (
    <>
      <PageHeader
        title="Members"
        actions={
          can.manage &&
          hasInvites && (
            <Button
              leftSection={<IconUserPlus size={16} aria-hidden />}
              onClick={() =>
                modals.open({
                  title: 'Invite a member',
                  size: 'lg',
                  children: <InviteForm companyId={companyId} />,
                })
              }
            >
              Invite
            </Button>
          )
        }
      />
      <MemberList />
      {can.own && hasInvites && <InviteList />}
    </>
  );
};
