import { IconBuilding } from '@tabler/icons-react';
import { useCan } from '../../app/session/use-can.ts';
import { EmptyState } from '../../components/empty-state.tsx';
import { ButtonLink } from '../../components/links.tsx';

/** The home page of an operator without any company. */
export const NoCompaniesPage = () => {
  const can = useCan();
  return can.administrate ? (
    <EmptyState
      isPage
      icon={IconBuilding}
      title="Welcome to Commonplace"
      action={<ButtonLink to="/companies/new">Create a company</ButtonLink>}
    >
      Agents, keys and notes belong to a company. Create the first one to get started.
    </EmptyState>
  ) : (
    <EmptyState isPage icon={IconBuilding} title="You are not a member of any company yet">
      A company owner can invite your email address.
    </EmptyState>
  );
};
