import { Group, Text } from '@mantine/core';
import { IconNotes, IconSearch } from '@tabler/icons-react';
import type { NoteFilter } from '../../../api/note-queries.ts';
import { useCan } from '../../../app/session/use-can.ts';
import { useCompanyId } from '../../../api/use-company-id.ts';
import { EmptyState } from '../../../components/empty-state.tsx';
import { ButtonLink } from '../../../components/links.tsx';
import { CreateNoteLink } from './create-note-link.tsx';

type EmptyListProps = { readonly filter: NoteFilter; readonly hasPinned: boolean };

/** The empty state of a list of notes, depending on its filter. */
export const EmptyNoteList = ({ filter, hasPinned }: EmptyListProps) => {
  if (hasPinned) {
    return <Text c="dimmed">All notes here are pinned.</Text>;
  }
  if (filter.show === 'conflicts') {
    return (
      <EmptyState icon={IconNotes} title="No unresolved conflicts">
        When two writers change the same lines at once, both versions are kept and listed here.
      </EmptyState>
    );
  }
  const { q, tag, folder, author, show } = filter;
  return [q, tag, folder, author, show].some((value) => value !== undefined) ? (
    <EmptyState
      icon={IconSearch}
      title="No matching notes"
      action={show === undefined ? <AmongArchived filter={filter} /> : undefined}
    >
      Try fewer words or other filters.
    </EmptyState>
  ) : (
    <EmptyState icon={IconNotes} title="No notes yet" action={<FirstSteps />}>
      Agents create them through HTTP, MCP or the command line; you can create them here.
    </EmptyState>
  );
};

/** A list of active notes, and a search in it, has none that are archived. */
const AmongArchived = ({ filter }: { readonly filter: NoteFilter }) => {
  const companyId = useCompanyId();
  return (
    <ButtonLink
      to="/companies/$companyId/notes"
      params={{ companyId }}
      search={{ ...filter, show: 'archived' }}
      variant="default"
    >
      Look among archived notes
    </ButtonLink>
  );
};

const FirstSteps = () => {
  const companyId = useCompanyId();
  const can = useCan();
  return can.write ? (
    <Group gap="sm" justify="center">
      <CreateNoteLink />
      <ButtonLink to="/companies/$companyId/begin" params={{ companyId }} variant="default">
        Connect an agent
      </ButtonLink>
    </Group>
  ) : null;
};
