import type { Schema } from '@commonplace/client';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { defaultStringifySearch } from '@tanstack/react-router';
import { withoutTwins } from '../../api/note-queries.ts';
import { foundAgentsQuery, foundNotesQuery } from '../../api/search-queries.ts';
import { describePlace, placeOfPassage } from '../../api/passage-place.ts';
import type { PaletteItem } from './palette-item.ts';
import { hasWord } from './is-named.ts';
import { parseCommand } from './parse-command.ts';
import { useActions, type Actions } from './use-actions.ts';
import { useAgentActions } from './use-agent-actions.ts';
import { usePages } from './use-pages.ts';
import { useShownActions, type ShownActions } from './use-shown-actions.ts';
import { useCan } from '../session/use-can.ts';
import { useCurrentCompanyId } from '../../api/use-company-id.ts';
import { titleText } from '../../components/title-text.ts';

/** Items under a heading; never empty. */
export type PaletteGroup = { readonly name: string; readonly items: readonly PaletteItem[] };

const debounceMs = 100;

/** What matches a text: agents and notes of the company, what can be done with those agents, pages and actions. Without a text only the latter. */
export const usePaletteItems = (
  text: string,
): { readonly groups: readonly PaletteGroup[]; readonly isSearching: boolean } => {
  const companyId = useCurrentCompanyId();
  const [debounced] = useDebouncedValue(text.trim(), debounceMs);
  const isTyping = companyId !== null && debounced !== text.trim();
  const { verb, isNamed, sought, agents, notes, toMove, isSearching } = useFound(
    companyId,
    debounced,
  );
  const act = useAgentActions();
  const can = useCan();
  const base = `/companies/${companyId}`;
  const commanded = verb === null || isNamed ? agents : [];
  const moves = can.write ? toMove : [];
  const found: readonly PaletteGroup[] = [
    {
      name: 'Commands',
      items: [
        ...commanded.flatMap((agent) =>
          act(agent, verb).map((item) =>
            hasNamesake(agent, agents) ? { ...item, excerpt: agent.role } : item,
          ),
        ),
        ...moves.map((note) => ({
          href: `${base}/notes/${note.id}?open=move`,
          label: `Move ${titleText(note.title)}`,
        })),
      ],
    },
    { name: 'Agents', items: agents.map((agent) => agentItem(base, agent)) },
    { name: 'Notes', items: notes.map((note) => noteItem(base, note, sought)) },
  ];
  const actions = useActions(text.trim(), companyId);
  const pages = usePages(text.trim(), companyId);
  const shown = useShownActions(text.trim(), companyId);
  const ranked = rankedOf({ found, actions, text: text.trim(), isCommand: verb !== null });
  const groups = [...withShown(ranked, shown, text.trim()), { name: 'Pages', items: pages }];
  return {
    groups: groups.filter(({ items }) => items.length > 0),
    isSearching: isSearching || isTyping,
  };
};

const agentItem = (
  base: string,
  { id, name, role }: Pick<Schema<'Agent'>, 'id' | 'name' | 'role'>,
): PaletteItem => ({ href: `${base}/agents/${id}`, label: name, excerpt: role });

/** A note whose title has every word of the text opens at its top, any other one at the passage that was found. */
const noteItem = (base: string, note: Schema<'ListedNote'>, text: string): PaletteItem => {
  const title = note.title.toLowerCase();
  const words = text.toLowerCase().split(/\s+/);
  const passage = words.every((word) => title.includes(word)) ? undefined : note.passages?.[0];
  return {
    href: `${base}/notes/${note.id}${passage ? defaultStringifySearch(placeOfPassage(passage)) : ''}`,
    label: titleText(note.title),
    ...(passage ? { place: describePlace(passage) } : {}),
    ...(note.excerpt === undefined ? {} : { excerpt: note.excerpt }),
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
    sought: isNamed ? rest : text,
    agents: isEnabled ? (agents.data ?? []) : [],
    notes: [...found, ...toMove.filter(({ id }) => found.every((note) => note.id !== id))],
    toMove,
    isSearching: isEnabled && (notes.isFetching || agents.isFetching || named.isFetching),
  };
};

/** Whether names are all that distinguishes two agents, but for their case. */
const hasNamesake = ({ id, name }: Named, agents: readonly Named[]): boolean =>
  agents.some((agent) => agent.id !== id && agent.name.toLowerCase() === name.toLowerCase());

type Named = { readonly id: string; readonly name: string };

type Ranked = {
  readonly found: readonly PaletteGroup[];
  readonly actions: Actions;
  readonly text: string;
  readonly isCommand: boolean;
};

/** Actions come last, unless the text begins a word of one: then only agents and notes whose name begins with it come before. */
const rankedOf = ({ found, actions, text, isCommand }: Ranked): readonly PaletteGroup[] => {
  const { named, search } = actions;
  const group = { name: 'Actions', items: [...named, ...search] };
  if (isCommand) {
    return [...byName(found, text), group];
  }
  const sorted = found.toSorted(byAgentFirst);
  if (!named.some((action) => hasWord(action, text))) {
    return [...sorted, group];
  }
  const ranked = byName(sorted, text);
  const begun = ranked.filter((each) => isBegunBy(each, text));
  return [...begun, group, ...ranked.slice(begun.length)];
};

/** What can be done with what the page is about comes first for its whole word, otherwise behind what begins with the text. */
const withShown = (
  groups: readonly PaletteGroup[],
  { name, items, isFirst }: ShownActions,
  text: string,
): readonly PaletteGroup[] => {
  const offered = new Set(items.map(({ href }) => href));
  const others = groups.map((group) => ({
    name: group.name,
    items: group.items.filter(({ href }) => !offered.has(href)),
  }));
  const isBefore = (group: PaletteGroup): boolean => !isFirst && isBegunBy(group, text);
  return [
    ...others.filter((group) => isBefore(group)),
    { name, items },
    ...others.filter((group) => !isBefore(group)),
  ];
};

/** What Enter opens is the agent, unless a command was typed. */
const byAgentFirst = (one: PaletteGroup, other: PaletteGroup): number =>
  Number(one.name === 'Commands') - Number(other.name === 'Commands');

/** What Enter opens is the command, unless its words begin the name of an agent or the title of a note. */
const byName = (groups: readonly PaletteGroup[], text: string): readonly PaletteGroup[] => {
  const begins = (item: PaletteItem): number => Number(isBegun(item, text));
  return groups
    .map(({ name, items }) => ({
      name,
      items: items.toSorted((one, other) => begins(other) - begins(one)),
    }))
    .toSorted((one, other) => Number(isBegunBy(other, text)) - Number(isBegunBy(one, text)));
};

const isBegun = ({ label }: PaletteItem, text: string): boolean =>
  label.toLowerCase().startsWith(text.toLowerCase());

/** Whether an agent or a note of the group has a name that begins with the text. */
const isBegunBy = ({ name, items }: PaletteGroup, text: string): boolean =>
  name !== 'Commands' && items.some((item) => isBegun(item, text));
