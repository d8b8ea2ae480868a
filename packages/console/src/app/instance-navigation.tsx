import { Divider } from '@mantine/core';
import { IconHistory, IconLogin2, IconServer, IconShieldCog } from '@tabler/icons-react';
import { NavItem } from '../components/nav-item.tsx';

/** The sections of the instance, for administrators; `isBelow`: those of a company are above. */
export const InstanceNavigation = ({ isBelow }: { readonly isBelow: boolean }) => (
  <>
    {isBelow && <Divider my="sm" />}
    <NavItem
      to="/operators"
      label="Operators"
      leftSection={<IconShieldCog size={18} stroke={1.6} aria-hidden />}
    />
    <NavItem
      to="/sign-ins"
      label="Sign-ins"
      leftSection={<IconLogin2 size={18} stroke={1.6} aria-hidden />}
    />
    <NavItem
      to="/instance/activity"
      label="Account changes"
      leftSection={<IconHistory size={18} stroke={1.6} aria-hidden />}
    />
    <NavItem
      to="/instance"
      activeOptions={{ exact: true }}
      label="Instance"
      leftSection={<IconServer size={18} stroke={1.6} aria-hidden />}
    />
  </>
);
