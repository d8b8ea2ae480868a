import { Button } from '@mantine/core';
import { modals } from '../../components/modals.ts';
import { useSuspenseQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { IconUserPlus } from '@tabler/icons-react';
import { sessionQuery } from '../../api/session-queries.ts';
import { useCan } from '../../app/session/use-can.ts';
import { useCompanyId } from '../../api/use-company-id.ts';
import { PageHeader } from '../../components/page-header.tsx';
import { PersonSearch } from '../../components/person-search.tsx';
import { useChangeSearch } from '../../components/use-change-search.ts';
import { useOpenedByAddress } from '../../components/use-opened-by-address.ts';
import { InviteForm } from './invite-form.tsx';
import { InviteList } from './invite-list.tsx';
import { MemberList } from './member-list.tsx';

const route = getRouteApi('/signed-in/companies/$companyId/members');

/** The members of the company and its pending invites. */
export const MembersPage = () => {
  const companyId = useCompanyId();
  const can = useCan();
  const { data: session } = useSuspenseQuery(sessionQuery);
  // Local trusted mode has no accounts to invite.
  const hasInvites = session.mode !== 'local_trusted';
  const mayInvite = can.manage && hasInvites;
  const invite = (): void => {
    modals.open({
      title: 'Invite a member',
      size: 'lg',
      children: <InviteForm companyId={companyId} />,
    });
  };
  const { open, q } = route.useSearch();
  const change = useChangeSearch();
  useOpenedByAddress({ open, wanted: 'invite', mayOpen: mayInvite, openDialog: invite });
  return (
    <>
      <PageHeader
        title="Members"
        actions={
          mayInvite && (
            <Button leftSection={<IconUserPlus size={16} aria-hidden />} onClick={invite}>
              Invite
            </Button>
          )
        }
      />
      <PersonSearch value={q} onChange={(text) => change({ q: text })} />
      <MemberList q={q} />
      {can.own && hasInvites && <InviteList />}
    </>
  );
};
