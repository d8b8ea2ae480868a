import { Alert } from '@mantine/core';
import { useSuspenseQuery } from '@tanstack/react-query';
import { Outlet, useLocation, type ErrorComponentProps } from '@tanstack/react-router';
import { IconArchive, IconLock } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import { companyQuery } from '../../api/company-queries.ts';
import { isForeignCompany } from '../../api/problems.ts';
import { unsavedWork } from '../../api/unsaved-work.ts';
import { useCompanyId, useIsForeignCompany } from '../../api/use-company-id.ts';
import { modals } from '../../components/modals.ts';
import { ButtonLink } from '../../components/links.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { ErrorPage } from './error-page.tsx';

/** The layout of company pages; archived companies have a banner, and so has what its operator wrote in a company they lost. */
export const CompanyLayout = () => {
  const { data: company } = useSuspenseQuery(companyQuery(useCompanyId()));
  const isForeign = useIsForeignCompany();
  const isKept = useKeptPage(isForeign);
  if (isForeign && !isKept) {
    return <NoMember name={company.name} />;
  }
  return (
    <>
      {isKept && <NotSaved name={company.name} />}
      {company.status === 'archived' && (
        <Alert color="yellow" mb="lg" icon={<IconArchive size={18} aria-hidden />}>
          This company is archived. It is read-only, and its agents have no access.
        </Alert>
      )}
      <Outlet />
    </>
  );
};

/** Whether the page had unsaved work as its operator left the company or was removed. It stays until they leave it. */
const useKeptPage = (isForeign: boolean): boolean => {
  const path = useLocation({ select: ({ pathname }) => pathname });
  const [wasForeign, setWasForeign] = useState(false);
  const [kept, setKept] = useState<string | null>(null);
  if (isForeign !== wasForeign) {
    setWasForeign(isForeign);
    setKept(isForeign && unsavedWork.exists() ? path : null);
  }
  return isForeign && kept === path;
};

const NotSaved = ({ name }: { readonly name: string }) => (
  <Alert role="alert" color="red" mb="lg" icon={<IconLock size={18} aria-hidden />}>
    You are no longer a member of {name}. What you wrote here cannot be saved: copy it before you
    leave this page.
  </Alert>
);

/** Replaces a page of a company that could not be loaded. */
export const CompanyError = (props: ErrorComponentProps) =>
  isForeignCompany(props.error) ? <NoMember name="this company" /> : <ErrorPage {...props} />;

const NoMember = ({ name }: { readonly name: string }) => {
  // Nothing in them can be saved, but a key that is shown once can be copied still.
  useEffect(() => modals.closeOthers(), []);
  return (
    <EmptyState
      isPage
      icon={IconLock}
      title={`You are not a member of ${name}`}
      action={<ButtonLink to="/">Go to home page</ButtonLink>}
    >
      Its owners invite members, and remove them. Who was removed needs another invite.
    </EmptyState>
  );
};
