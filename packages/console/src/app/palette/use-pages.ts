import { useCan } from '../session/use-can.ts';
import { isNamed } from './is-named.ts';
import type { PaletteItem } from './palette-item.ts';

const sections = [
  ['Dashboard', ''],
  ['Agents', '/agents'],
  ['Org chart', '/org-chart'],
  ['Notes', '/notes'],
  ['Conflicts', '/notes?show=conflicts'],
  ['Broken links', '/notes/broken-links'],
  ['Proposals', '/proposals'],
  ['Runs', '/runs'],
  ['Running runs', '/runs?state=running'],
  ['Credentials', '/credentials'],
  ['Unused keys and connections', '/credentials?show=unused'],
  ['Members', '/members'],
  ['Activity', '/activity'],
  ['Settings', '/settings'],
] as const;

/** The pages whose name contains the text. */
export const usePages = (text: string, companyId: string | null): readonly PaletteItem[] => {
  const can = useCan();
  const base = `/companies/${companyId}`;
  const pages: readonly PaletteItem[] = [
    ...(companyId === null
      ? []
      : sections.map(([label, path]) => ({ href: `${base}${path}`, label }))),
    ...(can.administrate
      ? [
          { href: '/operators', label: 'Operators' },
          { href: '/instance', label: 'Instance' },
        ]
      : []),
    { href: '/sign-ins', label: 'Sign-in history' },
    { href: '/instance/activity', label: 'Account changes' },
    { href: '/account', label: 'Account & sessions' },
  ];
  return pages.filter((page) => isNamed(page, text));
};
