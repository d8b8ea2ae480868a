import type { Schema } from '@commonplace/client';
import { useCompanyId } from '../../api/use-company-id.ts';
import { modals } from '../../components/modals.ts';
import { SelectField } from '../../components/select-field.tsx';
import { ChangeRole } from './change-role.tsx';
import { roles } from './roles.ts';

/** The role of a member. Another one has to be confirmed. */
export const RoleSelect = ({ member }: { readonly member: Schema<'Member'> }) => {
  const companyId = useCompanyId();
  const { name, role } = member;
  const choose = (value: string | null): void => {
    const chosen = roles.find((each) => each.value === value)?.value ?? role;
    if (chosen !== role) {
      modals.open({
        title: `Change the role of ${name} to ${chosen}?`,
        children: <ChangeRole companyId={companyId} member={member} role={chosen} />,
      });
    }
  };
  return (
    <SelectField
      aria-label={`Role of ${name}`}
      data={roles.map(({ value }) => value)}
      value={role}
      allowDeselect={false}
      maw={140}
      onChange={choose}
    />
  );
};
