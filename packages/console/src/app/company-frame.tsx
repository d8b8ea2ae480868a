import { Alert } from '@mantine/core';
import { useSuspenseQuery } from '@tanstack/react-query';
import { Outlet } from '@tanstack/react-router';
import { IconArchive } from '@tabler/icons-react';
import { companyQuery } from '../api/company-queries.ts';
import { useCompanyId } from './use-company-id.ts';

/** Says above every page of an archived company why nothing can be changed. */
export const CompanyFrame = () => {
  const { data: company } = useSuspenseQuery(companyQuery(useCompanyId()));
  return (
    <>
      {company.status === 'archived' && (
        <Alert color="yellow" mb="lg" icon={<IconArchive size={18} aria-hidden />}>
          This company is archived: it can be read, its agents cannot sign in, and nothing changes.
        </Alert>
      )}
      <Outlet />
    </>
  );
};
