import { Alert } from '@mantine/core';
import { useSuspenseQuery } from '@tanstack/react-query';
import { Outlet } from '@tanstack/react-router';
import { IconArchive } from '@tabler/icons-react';
import { companyQuery } from '../../api/company-queries.ts';
import { useCompanyId } from '../../api/use-company-id.ts';

/** The layout of company pages; archived companies have a banner. */
export const CompanyLayout = () => {
  const { data: company } = useSuspenseQuery(companyQuery(useCompanyId()));
  return (
    <>
      {company.status === 'archived' && (
        <Alert color="yellow" mb="lg" icon={<IconArchive size={18} aria-hidden />}>
          This company is archived. It is read-only, and its agents have no access.
        </Alert>
      )}
      <Outlet />
    </>
  );
};
