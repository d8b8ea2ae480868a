import {
  IconActivity,
  IconGauge,
  IconInbox,
  IconKey,
  IconNotebook,
  IconPlayerPlay,
  IconRobot,
  IconSettings,
  IconUsers,
} from '@tabler/icons-react';
import { useLocation } from '@tanstack/react-router';
import { NavItem } from '../../components/nav-item.tsx';
import { useCan } from '../session/use-can.ts';
import { useCurrentCompanyId } from '../../api/use-company-id.ts';
import { InstanceNavigation } from './instance-navigation.tsx';
import { OpenProposals } from './open-proposals.tsx';

const sections = [
  { label: 'Dashboard', to: '/companies/$companyId', icon: IconGauge, exact: true },
  { label: 'Agents', to: '/companies/$companyId/agents', icon: IconRobot, exact: false },
  { label: 'Notes', to: '/companies/$companyId/notes', icon: IconNotebook, exact: false },
  { label: 'Proposals', to: '/companies/$companyId/proposals', icon: IconInbox, exact: false },
  { label: 'Runs', to: '/companies/$companyId/runs', icon: IconPlayerPlay, exact: false },
  { label: 'Credentials', to: '/companies/$companyId/credentials', icon: IconKey, exact: false },
  { label: 'Members', to: '/companies/$companyId/members', icon: IconUsers, exact: false },
  { label: 'Activity', to: '/companies/$companyId/activity', icon: IconActivity, exact: false },
  { label: 'Settings', to: '/companies/$companyId/settings', icon: IconSettings, exact: false },
] as const;

/** Pages that are in a section, but not below its address. */
const pagesBeside: Readonly<Record<string, readonly string[]>> = {
  Dashboard: ['begin'],
  Agents: ['org-chart'],
  Notes: ['sync-jobs'],
};

/** What the router sets on a link to the page itself. */
const current = { 'aria-current': 'true', 'data-status': 'active' } as const;

/** The sections of the company, and for administrators those of the instance. */
export const Navigation = () => {
  const companyId = useCurrentCompanyId();
  const can = useCan();
  const page = useLocation({ select: ({ pathname }) => pathname.split('/')[3] ?? '' });
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
            {...(pagesBeside[label]?.includes(page) ? current : {})}
            leftSection={<SectionIcon size={18} stroke={1.6} aria-hidden />}
            rightSection={label === 'Proposals' && <OpenProposals companyId={companyId} />}
          />
        ))}
      {can.administrate && <InstanceNavigation isBelow={companyId !== null} />}
    </>
  );
};
