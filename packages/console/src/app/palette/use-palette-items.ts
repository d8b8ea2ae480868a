import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { defaultStringifySearch } from '@tanstack/react-router';
import { withoutTwins } from '../../api/note-queries.ts';
import { foundAgentsQuery, foundNotesQuery } from '../../api/search-queries.ts';
import { sessionQuery } from '../../api/session-queries.ts';
import type { PaletteItem } from './palette-item.ts';
import { parseCommand } from './parse-command.ts';
import { useAgentActions } from './use-agent-actions.ts';
import { useCan } from '../session/use-can.ts';
import { useCurrentCompanyId } from '../../api/use-company-id.ts';

/** Items under a heading; never empty. */
export type PaletteGroup = { readonly name: string; readonly items: readonly PaletteItem[] };

const debounceMs = 150;

/** What matches a text: agents and notes of the company, what can be done with those agents, pages and actions. Without a text only the latter. */
export const usePaletteItems = (
  text: string,
): { readonly groups: readonly PaletteGroup[]; readonly isSearching: boolean } => {
  const companyId = useCurrentCompanyId();
  const [debounced] = useDebouncedValue(text.trim(), debounceMs);
  const { verb, isNamed, agents, notes, toMove, isSearching } = useFound(companyId, debounced);
  const act = useAgentActions();
  const can = useCan();
  const base = `/companies/${companyId}`;
  const commanded = verb === null || isNamed ? agents : [];
  const moves = can.write ? toMove : [];
  const found: readonly PaletteGroup[] = [
    {
      name: 'Commands',
      items: [
        ...commanded.flatMap((agent) => act(agent, verb)),
        ...moves.map((note) => ({
          href: `${base}/notes/${note.id}?open=move`,
          label: `Move ${nameOf(note)}`,
        })),
      ],
    },
    {
      name: 'Agents',
      items: agents.map(({ id, name, role }) => ({
        href: `${base}/agents/${id}`,
        label: name,
        excerpt: role,
      })),
    },
    {
      name: 'Notes',
      items: notes.map((note) => ({
        href: `${base}/notes/${note.id}`,
        label: nameOf(note),
        ...(note.excerpt === undefined ? {} : { excerpt: note.excerpt }),
      })),
    },
  ];
  const ranked = verb === null ? found.toSorted(byAgentFirst) : byName(found, text.trim());
  const groups = [...ranked, ...usePlaces(text.trim(), companyId)];
  return {
    groups: groups.filter(({ items }) => items.length > 0),
    isSearching,
  };
};

/** The agents and notes that match a text, or what follows a command in it. */
const useFound = (companyId: string | null, text: string) => {
  const isEnabled = companyId !== null && text !== '';
  const { verb, rest } = parseCommand(text);
  const isNamed = rest !== '';
  const isMove = isEnabled && verb === 'move' && isNamed;
  const agents = useQuery({
    ...foundAgentsQuery(companyId ?? '', isNamed ? rest : text),
    enabled: isEnabled,
    placeholderData: keepPreviousData,
  });
  // The words of a command may be those of a title.
  const notes = useQuery({
    ...foundNotesQuery(companyId ?? '', text),
    enabled: isEnabled,
    placeholderData: keepPreviousData,
  });
  const named = useQuery({
    ...foundNotesQuery(companyId ?? '', rest),
    enabled: isMove,
    placeholderData: keepPreviousData,
  });
  const toMove = isMove ? withoutTwins(named.data ?? []) : [];
  const found = isEnabled ? withoutTwins(notes.data ?? []) : [];
  return {
    verb,
    isNamed,
    agents: isEnabled ? (agents.data ?? []) : [],
    notes: [...found, ...toMove.filter(({ id }) => found.every((note) => note.id !== id))],
    toMove,
    isSearching: isEnabled && (notes.isFetching || agents.isFetching || named.isFetching),
  };
};

const nameOf = ({ title }: { readonly title: string }): string =>
  title === '' ? 'Untitled' : title;

/** What Enter opens is the agent, unless a command was typed. */
const byAgentFirst = (one: PaletteGroup, other: PaletteGroup): number =>
  Number(one.name === 'Commands') - Number(other.name === 'Commands');

/** What Enter opens is the command, unless its words begin the name of an agent or the title of a note. */
const byName = (groups: readonly PaletteGroup[], text: string): readonly PaletteGroup[] => {
  const begins = ({ label }: PaletteItem): number =>
    Number(label.toLowerCase().startsWith(text.toLowerCase()));
  const isNamed = ({ name, items }: PaletteGroup): number =>
    Number(name !== 'Commands' && items.some(begins));
  return groups
    .map(({ name, items }) => ({
      name,
      items: items.toSorted((one, other) => begins(other) - begins(one)),
    }))
    .toSorted((one, other) => isNamed(other) - isNamed(one));
};

const sections = [
  ['Dashboard', ''],
  ['Agents', '/agents'],
  ['Org chart', '/org-chart'],
  ['Notes', '/notes'],
  ['Conflicts', '/notes?show=conflicts'],
  ['Proposals', '/proposals'],
  ['Runs', '/runs'],
  ['Running runs', '/runs?state=running'],
  ['Credentials', '/credentials'],
  ['Unused keys and connections', '/credentials?show=unused'],
  ['Members', '/members'],
  ['Activity', '/activity'],
  ['Settings', '/settings'],
] as const;

/** The pages and actions whose name contains the text. */
const usePlaces = (text: string, companyId: string | null): readonly PaletteGroup[] => {
  const can = useCan();
  const actions = useActions(text, companyId);
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
  const matches = ({ label }: PaletteItem): boolean =>
    label.toLowerCase().includes(text.toLowerCase());
  return [
    { name: 'Actions', items: actions.filter(matches) },
    { name: 'Pages', items: pages.filter(matches) },
  ];
};

/** What can be done in the company, and on the instance. */
const useActions = (text: string, companyId: string | null): readonly PaletteItem[] => {
  const can = useCan();
  const { data: session } = useSuspenseQuery(sessionQuery);
  const base = `/companies/${companyId}`;
  return [
    ...(can.write
      ? [
          { href: `${base}/notes/new`, label: 'New note' },
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
    ...(text !== '' && companyId !== null
      ? [
          {
            href: `${base}/notes${defaultStringifySearch({ q: text })}`,
            label: `All notes with “${text}”`,
          },
        ]
      : []),
  ];
};
