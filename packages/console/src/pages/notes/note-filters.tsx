import { Group, Select, TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { useNavigate } from '@tanstack/react-router';
import { IconSearch, IconTag } from '@tabler/icons-react';
import type { NoteFilter } from '../../api/note-queries.ts';

const views = [
  { value: 'conflicts', label: 'Conflicts' },
  { value: 'archived', label: 'Archived' },
  { value: 'deleted', label: 'Deleted' },
] as const;

const orders = [
  { value: 'createdAt', label: 'Created last' },
  { value: 'title', label: 'Title' },
] as const;

const typingMs = 250;

/** What of the notes is shown, and in which order; all of it is in the address. */
export const NoteFilters = ({ filter }: { readonly filter: NoteFilter }) => {
  const navigate = useNavigate();
  const change = (next: NoteFilter): void => {
    void navigate({ to: '.', search: (search: object) => ({ ...search, ...next }), replace: true });
  };
  const changeSoon = useDebouncedCallback(change, typingMs);
  return (
    <Group mb="md" align="end">
      <TextInput
        label="Search"
        flex={1}
        miw={180}
        placeholder="Words in title or text"
        leftSection={<IconSearch size={16} aria-hidden />}
        defaultValue={filter.q ?? ''}
        onChange={(event) => changeSoon({ q: event.currentTarget.value || undefined })}
      />
      <TextInput
        label="Tag"
        leftSection={<IconTag size={16} aria-hidden />}
        w={130}
        // A tag clicked in the list stands here, too.
        key={filter.tag ?? ''}
        defaultValue={filter.tag ?? ''}
        onChange={(event) => changeSoon({ tag: event.currentTarget.value || undefined })}
      />
      <Select
        label="Show"
        data={[...views]}
        value={filter.show ?? null}
        placeholder="Living notes"
        clearable
        w={150}
        onChange={(value) => change({ show: views.find((view) => view.value === value)?.value })}
      />
      <Select
        label="Sort by"
        data={[...orders]}
        value={filter.sort ?? null}
        placeholder={filter.q === undefined ? 'Changed last' : 'Best match'}
        // A search has an order of its own.
        disabled={filter.q !== undefined}
        clearable
        w={150}
        onChange={(value) => change({ sort: orders.find((order) => order.value === value)?.value })}
      />
    </Group>
  );
};
