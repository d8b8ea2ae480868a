import { Divider } from '@mantine/core';
import {
  IconActivity,
  IconGauge,
  IconHistory,
  IconKey,
  IconLogin2,
  IconNotebook,
  IconPlayerPlay,
  IconRobot,
  IconServer,
  IconSettings,
  IconShieldCog,
  IconUsers,
} from '@tabler/icons-react';
import { NavItem } from '../components/nav-item.tsx';
import { useCan } from './use-can.ts';
import { useCurrentCompanyId } from '../api/use-company-id.ts';

const sections = [
  { label: 'Dashboard', to: '/companies/$companyId', icon: IconGauge, exact: true },
  { label: 'Agents', to: '/companies/$companyId/agents', icon: IconRobot, exact: false },
  { label: 'Notes', to: '/companies/$companyId/notes', icon: IconNotebook, exact: false },
  { label: 'Runs', to: '/companies/$companyId/runs', icon: IconPlayerPlay, exact: false },
  { label: 'Credentials', to: '/companies/$companyId/credentials', icon: IconKey, exact: false },
  { label: 'Members', to: '/companies/$companyId/members', icon: IconUsers, exact: false },
  { label: 'Activity', to: '/companies/$companyId/activity', icon: IconActivity, exact: false },
  { label: 'Settings', to: '/companies/$companyId/settings', icon: IconSettings, exact: false },
] as const;

/** The sections of the company, and for administrators those of the instance. */
export const Navigation = () => {
  const companyId = useCurrentCompanyId();
  const can = useCan();
  return (
    <>
      {companyId !== null &&
        sections.map(({ label, to, icon: SectionIcon, exact }) => (
          <NavItem
            key={to}
            to={to}
            params={{ companyId }}
            activeOptions={{ exact, includeSearch: false }}
            label={label}
            leftSection={<SectionIcon size={18} stroke={1.6} aria-hidden />}
          />
        ))}
      {can.administrate && (
        <>
          {companyId !== null && <Divider my="sm" />}
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
      )}
    </>
  );
};
