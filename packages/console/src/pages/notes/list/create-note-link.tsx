import { IconPlus } from '@tabler/icons-react';
import { getRouteApi } from '@tanstack/react-router';
import { useCan } from '../../../app/session/use-can.ts';
import { useCompanyId } from '../../../api/use-company-id.ts';
import { ButtonLink } from '../../../components/links.tsx';

const route = getRouteApi('/signed-in/companies/$companyId/notes');

/** Leads to a new note, in the folder that is shown, for those who may write. */
export const CreateNoteLink = ({ size }: { readonly size?: string }) => {
  const companyId = useCompanyId();
  const { folder } = route.useSearch();
  const can = useCan();
  return can.write ? (
    <ButtonLink
      to="/companies/$companyId/notes/new"
      params={{ companyId }}
      search={folder === undefined ? {} : { folder }}
      {...(size === undefined ? {} : { size })}
      leftSection={<IconPlus size={16} aria-hidden />}
    >
      New note
    </ButtonLink>
  ) : null;
};
