import { useDocumentTitle } from '@mantine/hooks';
import { IconBuilding } from '@tabler/icons-react';
import { useCan } from '../app/use-can.ts';
import { EmptyState } from '../components/empty-state.tsx';
import { ButtonLink } from '../components/links.tsx';

/** The start of somebody who belongs to no company. */
export const NoCompaniesPage = () => {
  const can = useCan();
  useDocumentTitle('Welcome · Commonplace');
  return can.administrate ? (
    <EmptyState
      isPage
      icon={IconBuilding}
      title="Welcome to Commonplace"
      action={<ButtonLink to="/companies/new">Create a company</ButtonLink>}
    >
      Agents, their keys and their notes live in companies. Create the first one to begin.
    </EmptyState>
  ) : (
    <EmptyState isPage icon={IconBuilding} title="You belong to no company yet">
      Ask an owner of a company for an invite to your e-mail address.
    </EmptyState>
  );
};
