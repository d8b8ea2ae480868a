import { Button } from '@mantine/core';
import { modals } from '@mantine/modals';
import { IconUserPlus } from '@tabler/icons-react';
import { useCan } from '../../app/use-can.ts';
import { useCompanyId } from '../../app/use-company-id.ts';
import { PageHeader } from '../../components/page-header.tsx';
import { InviteForm } from './invite-form.tsx';
import { InviteList } from './invite-list.tsx';
import { MemberList } from './member-list.tsx';

/** Who belongs to the company, and who was asked to join. */
export const MembersPage = () => {
  const companyId = useCompanyId();
  const can = useCan();
  return (
    <>
      <PageHeader
        title="Members"
        actions={
          can.manage && (
            <Button
              leftSection={<IconUserPlus size={16} aria-hidden />}
              onClick={() =>
                modals.open({
                  title: 'Invite somebody',
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
      {can.own && <InviteList />}
    </>
  );
};
