import { IconFolderOff } from '@tabler/icons-react';
import { EmptyState } from '../../components/empty-state.tsx';
import { ButtonLink } from '../../components/links.tsx';

/** A note outside the folders that a viewer reaches, to which links lead all the same. */
export const NotGranted = ({ companyId }: { readonly companyId: string }) => (
  <EmptyState
    icon={IconFolderOff}
    title="You do not have access to this note"
    isPage
    action={
      <ButtonLink to="/companies/$companyId/notes" params={{ companyId }} variant="default">
        All notes that you can read
      </ButtonLink>
    }
  >
    It is in a folder that you do not reach. An owner of the company can change that under Members.
  </EmptyState>
);
