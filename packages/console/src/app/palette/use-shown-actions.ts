import type { Schema } from '@commonplace/client';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useLocation } from '@tanstack/react-router';
import { agentQuery } from '../../api/agent-queries.ts';
import { noteQuery } from '../../api/note-queries.ts';
import { runQuery } from '../../api/run-queries.ts';
import { titleText } from '../../components/title-text.ts';
import { useCan } from '../session/use-can.ts';
import { changeNote } from './change-note.ts';
import { hasWord } from './is-named.ts';
import type { PaletteItem } from './palette-item.ts';
import { shownAt } from './shown-at.ts';
import { useAgentActions } from './use-agent-actions.ts';

/** An action that is found by a word for it, without a name. */
type WordedItem = PaletteItem & { readonly word: string };

/** The actions of the agent, note or run that the page is about. */
export type ShownActions = {
  /** "This agent". */
  readonly name: string;
  /** Those with a word that begins with the text. */
  readonly items: readonly PaletteItem[];
  /** The text is such a word: they come before everything else. */
  readonly isFirst: boolean;
};

/** What can be done with what one looks at, found by a word alone: "pause" on the page of an agent. */
export const useShownActions = (text: string, companyId: string | null): ShownActions => {
  useLocation();
  // Not the address that the router has: a new note that was saved shows its own.
  const shown = shownAt(window.location.pathname);
  const company = companyId ?? '';
  const noteId = shown?.kind === 'notes' ? shown.id : null;
  const runId = shown?.kind === 'runs' ? shown.id : null;
  // The page keeps them up to date.
  const { data: note } = useQuery({ ...noteQuery(company, noteId ?? ''), ...onlyIf(noteId) });
  const { data: run } = useQuery({ ...runQuery(company, runId ?? ''), ...onlyIf(runId) });
  const agentId = shown?.kind === 'agents' ? shown.id : (run?.agentId ?? null);
  const { data: agent } = useQuery({ ...agentQuery(company, agentId ?? ''), ...onlyIf(agentId) });
  const ofAgent = useActionsOfAgent();
  const ofNote = useActionsOfNote();
  const ofRun = useActionsOfRun();
  const all = [
    ...(runId !== null && run ? ofRun(run) : []),
    ...(agent ? ofAgent(agent).filter(({ word }) => runId === null || word === 'pause') : []),
    ...(noteId !== null && note ? ofNote(note) : []),
  ];
  return {
    name: runId === null ? (noteId === null ? 'This agent' : 'This note') : 'This run',
    items: all.filter(({ word }) => hasWord({ label: word }, text)),
    isFirst: all.some(({ word }) => word === text.toLowerCase()),
  };
};

const onlyIf = (id: string | null) => ({ enabled: id !== null, staleTime: Infinity });

const useActionsOfAgent = () => {
  const act = useAgentActions();
  return (agent: Schema<'Agent'>): readonly WordedItem[] => {
    const items = act(agent, null).map((item) => ({ ...item, word: item.verb }));
    const edit = {
      word: 'edit',
      href: `/companies/${agent.companyId}/agents/${agent.id}?open=edit`,
      label: `Edit ${agent.name}`,
    };
    return items.length === 0 ? [] : [...items, edit];
  };
};

const useActionsOfRun = () => {
  const can = useCan();
  return ({ companyId, id, status }: Schema<'Run'>): readonly WordedItem[] => {
    const href = `/companies/${companyId}/runs/${id}`;
    const name = `run ${id.slice(-8)}`;
    const cancel = { word: 'cancel', href: `${href}?open=cancel`, label: `Cancel ${name}` };
    const undo = { word: 'undo', href: `${href}?undo=new`, label: `Undo what ${name} wrote` };
    return can.write ? [...(status === 'running' ? [cancel] : []), undo] : [];
  };
};

const useActionsOfNote = () => {
  const can = useCan();
  const client = useQueryClient();
  return (note: Schema<'NoteData'>): readonly WordedItem[] => {
    const { companyId, id, pinned, archived } = note;
    const href = `/companies/${companyId}/notes/${id}`;
    const title = titleText(note.title);
    const pin = pinned ? 'unpin' : 'pin';
    const archive = archived ? 'unarchive' : 'archive';
    const read = [
      { word: 'history', href: `${href}/history`, label: `History of ${title}` },
      { word: 'authors', href: `${href}?beside=authors`, label: `Authors of ${title}` },
    ];
    return can.write
      ? [
          { word: 'edit', href: `${href}/edit`, label: `Edit ${title}` },
          { word: 'move', href: `${href}?open=move`, label: `Move ${title}` },
          {
            word: pin,
            href: `${pin} ${id}`,
            label: `${pinned ? 'Unpin' : 'Pin'} ${title}`,
            run: () => void changeNote(client, note, { kind: 'pin', pinned: !pinned }),
          },
          {
            word: archive,
            href: `${archive} ${id}`,
            label: `${archived ? 'Unarchive' : 'Archive'} ${title}`,
            run: () => void changeNote(client, note, { kind: 'archive', archived: !archived }),
          },
          { word: 'delete', href: `${href}?open=delete`, label: `Delete ${title}` },
          ...read,
        ]
      : read;
  };
};
