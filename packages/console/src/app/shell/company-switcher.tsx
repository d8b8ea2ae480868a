import { useSuspenseQuery } from '@tanstack/react-query';
import { useLocation, useNavigate } from '@tanstack/react-router';
import { IconBuilding } from '@tabler/icons-react';
import { companiesQuery } from '../../api/company-queries.ts';
import { SelectField } from '../../components/select-field.tsx';
import { useCurrentCompanyId } from '../../api/use-company-id.ts';

/** Selects the company; switching keeps the section. */
export const CompanySwitcher = () => {
  const { data: companies } = useSuspenseQuery(companiesQuery);
  const companyId = useCurrentCompanyId();
  const section = useLocation({
    select: ({ pathname }) =>
      pathname.startsWith('/companies/') ? (pathname.split('/')[3] ?? '') : '',
  });
  const navigate = useNavigate();
  if (companies.length === 0) {
    return null;
  }
  return (
    <SelectField
      aria-label="Company"
      placeholder="Choose a company"
      data={companies.map(({ id, name, status }) => ({
        value: id,
        label: status === 'archived' ? `${name} (archived)` : name,
      }))}
      value={companyId}
      onChange={(id) => id !== null && void navigate({ to: `/companies/${id}/${section}` })}
      allowDeselect={false}
      searchable={companies.length > 7}
      nothingFoundMessage="No matching company"
      leftSection={<IconBuilding size={16} stroke={1.6} aria-hidden />}
      comboboxProps={{ width: 'max-content', position: 'bottom-start' }}
      w={{ base: 164, sm: 240 }}
    />
  );
};
