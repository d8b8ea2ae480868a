import { useSuspenseQuery } from '@tanstack/react-query';
import { useLocation, useNavigate } from '@tanstack/react-router';
import { IconBuilding } from '@tabler/icons-react';
import { companiesQuery } from '../../api/company-queries.ts';
import { useCan } from '../session/use-can.ts';
import { SelectField } from '../../components/select-field.tsx';
import { useCurrentCompanyId, useIsForeignCompany } from '../../api/use-company-id.ts';

/** The value of the entry that is no company. */
const newCompany = 'new';

/** Selects the company; switching keeps the section. Its last entry makes a new one, for those who may. */
export const CompanySwitcher = () => {
  const can = useCan();
  const { data: companies } = useSuspenseQuery(companiesQuery);
  const current = useCurrentCompanyId();
  // On a page of none of these any of them can be chosen.
  const companyId = useIsForeignCompany() ? null : current;
  const section = useLocation({
    select: ({ pathname }) =>
      pathname.startsWith('/companies/') ? (pathname.split('/')[3] ?? '') : '',
  });
  const navigate = useNavigate();
  if (companies.length === 0) {
    return null;
  }
  const open = (id: string): void =>
    void navigate({ to: id === newCompany ? '/companies/new' : `/companies/${id}/${section}` });
  return (
    <SelectField
      aria-label="Company"
      placeholder="Choose a company"
      data={[
        ...companies.map(({ id, name, status }) => ({
          value: id,
          label: status === 'archived' ? `${name} (archived)` : name,
        })),
        ...(can.administrate ? [{ value: newCompany, label: 'New company…' }] : []),
      ]}
      value={companyId}
      onChange={(id) => id !== null && open(id)}
      allowDeselect={false}
      searchable={companies.length > 7}
      nothingFoundMessage="No matching company"
      leftSection={<IconBuilding size={16} stroke={1.6} aria-hidden />}
      comboboxProps={{ width: 'max-content', position: 'bottom-start' }}
      title={companies.find(({ id }) => id === companyId)?.name}
      // A name may have 200 letters.
      styles={{
        dropdown: { maxWidth: 'min(32rem, calc(100vw - 2rem))' },
        input: { textOverflow: 'ellipsis' },
      }}
      w={{ base: 164, sm: 240, lg: 320 }}
    />
  );
};
