import { Divider } from '@mantine/core';
import { IconHistory, IconLogin2, IconServer, IconShieldCog } from '@tabler/icons-react';
import { NavItem } from '../../components/nav-item.tsx';

const sections = [
  { label: 'Operators', to: '/operators', icon: IconShieldCog, exact: false },
  { label: 'Sign-ins', to: '/sign-ins', icon: IconLogin2, exact: false },
  { label: 'Account changes', to: '/instance/activity', icon: IconHistory, exact: false },
  { label: 'Instance', to: '/instance', icon: IconServer, exact: true },
] as const;

/** The sections of the instance, for administrators; `isBelow`: those of a company are above. */
export const InstanceNavigation = ({ isBelow }: { readonly isBelow: boolean }) => (
  <>
    {isBelow && <Divider my="sm" />}
    {sections.map(({ label, to, icon: SectionIcon, exact }) => (
      <NavItem
        key={to}
        to={to}
        activeOptions={{ exact }}
        label={label}
        leftSection={<SectionIcon size={18} stroke={1.6} aria-hidden />}
      />
    ))}
  </>
);
