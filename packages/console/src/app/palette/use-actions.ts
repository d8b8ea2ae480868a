import { useMantineColorScheme } from '@mantine/core';
import { useSuspenseQuery } from '@tanstack/react-query';
import { defaultStringifySearch, useLocation } from '@tanstack/react-router';
import { sessionQuery } from '../../api/session-queries.ts';
import { useCan } from '../session/use-can.ts';
import { useSignOut } from '../session/use-sign-out.ts';
import { colorSchemes } from '../shell/color-schemes.ts';
import { hasWord, isNamed } from './is-named.ts';
import { newNotePath } from './new-note-path.ts';
import type { PaletteItem } from './palette-item.ts';

export type Actions = {
  /** Those whose name contains the text; those with a word that begins with it first. */
  readonly named: readonly PaletteItem[];
  /** A search for the text. */
  readonly search: readonly PaletteItem[];
};

/** What can be done in the company, on the instance and with the console. */
export const useActions = (text: string, companyId: string | null): Actions => {
  const actions = [...useCompanyActions(companyId), ...useOwnActions(text)];
  const rank = (action: PaletteItem): number => Number(!hasWord(action, text));
  return {
    named: actions
      .filter((action) => isNamed(action, text))
      .toSorted((one, other) => rank(one) - rank(other)),
    search:
      text === '' || companyId === null
        ? []
        : [
            {
              href: `/companies/${companyId}/notes${defaultStringifySearch({ q: text })}`,
              label: `All notes with “${text}”`,
            },
          ],
  };
};

const useCompanyActions = (companyId: string | null): readonly PaletteItem[] => {
  const can = useCan();
  const { data: session } = useSuspenseQuery(sessionQuery);
  const path = useLocation({ select: newNotePath });
  const base = `/companies/${companyId}`;
  return [
    ...(can.write
      ? [
          { href: `${base}${path}`, label: 'New note' },
          { href: `${base}/agents?open=new-agent`, label: 'New agent' },
          { href: `${base}/begin`, label: 'Connect an agent' },
        ]
      : []),
    // Local trusted mode has no accounts to invite.
    ...(can.manage && session.mode !== 'local_trusted'
      ? [{ href: `${base}/members?open=invite`, label: 'Invite a member' }]
      : []),
    ...(companyId === null
      ? []
      : [{ href: `${base}/notes?open=export`, label: 'Export all notes' }]),
    ...(can.administrate ? [{ href: '/companies/new', label: 'New company' }] : []),
  ];
};

/** What the header has, too: offered only to those who type it. */
const useOwnActions = (text: string): readonly PaletteItem[] => {
  const { data: session } = useSuspenseQuery(sessionQuery);
  const { setColorScheme } = useMantineColorScheme();
  const signOut = useSignOut();
  if (text === '') {
    return [];
  }
  return [
    ...colorSchemes.map(({ value, label }) => ({
      href: `color-scheme ${value}`,
      label: `Colour scheme: ${label.toLowerCase()}`,
      otherWords: `color theme ${label} theme, ${label} mode`,
      run: () => setColorScheme(value),
    })),
    ...(session.mode === 'authenticated'
      ? [
          {
            href: 'sign-out',
            label: 'Sign out',
            otherWords: 'log out',
            run: () => signOut.mutate(),
          },
        ]
      : []),
  ];
};
