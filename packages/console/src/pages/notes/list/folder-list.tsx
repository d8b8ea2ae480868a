import { Box, Group, Text, VisuallyHidden } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { IconFolder, IconFolderOpen, IconNotes } from '@tabler/icons-react';
import { foldersQuery } from '../../../api/label-queries.ts';
import { ErrorAlert } from '../../../components/error-alert.tsx';
import { FilterSelect } from '../../../components/filter-select.tsx';
import { NavItem } from '../../../components/nav-item.tsx';
import { useChangeSearch } from '../../../components/use-change-search.ts';
import { folderTree, sumOf, type Folder } from './folder-tree.ts';

type FolderListProps = { readonly companyId: string; readonly current: string | undefined };

/**
 * The folders of the company: a tree beside the notes, on a phone a select above them. Its space is
 * reserved before the folders are loaded, so that the notes do not move.
 */
export const FolderList = ({ companyId, current }: FolderListProps) => {
  const change = useChangeSearch({ replace: false });
  const { data: counts, error, refetch } = useQuery(foldersQuery(companyId));
  const tree = useMemo(() => folderTree(counts ?? []), [counts]);
  const all = { name: 'All notes', path: '', notes: counts && sumOf(counts), folders: [] };
  const choose = (folder: string | null): void => change({ folder: folder ?? undefined });
  return (
    <>
      <Box component="nav" aria-label="Folders" visibleFrom="md" w={208} style={{ flexShrink: 0 }}>
        <Group justify="space-between" pr={12} mb={4}>
          <Text size="sm" fw={600}>
            Folders
          </Text>
          <Text size="xs" c="dimmed" title="Archived notes and conflict copies are counted too">
            incl. archived
          </Text>
        </Group>
        <FolderItem folder={all} current={current ?? ''} />
        {tree.map((folder) => (
          <FolderItem key={folder.path} folder={folder} current={current ?? ''} />
        ))}
        {error && !counts && <ErrorAlert error={error} onRetry={() => void refetch()} />}
      </Box>
      <FilterSelect
        hiddenFrom="md"
        label="Folder"
        unset="All notes"
        data={flat(tree).map(({ path }) => path)}
        value={current}
        searchable
        onChange={choose}
      />
    </>
  );
};

const flat = (folders: readonly Folder[]): readonly Folder[] =>
  folders.flatMap((folder) => [folder, ...flat(folder.folders)]);

type FolderItemProps = {
  /** Without the number of notes while it is loading. */
  readonly folder: Omit<Folder, 'notes'> & { readonly notes: number | undefined };
  readonly current: string;
  readonly depth?: number;
};

const indentPx = 14;

const FolderItem = ({ folder, current, depth = 0 }: FolderItemProps) => {
  const { name, path, notes, folders } = folder;
  const isOpen = current === path || current.startsWith(`${path}/`);
  const FolderIcon = path === '' ? IconNotes : isOpen ? IconFolderOpen : IconFolder;
  return (
    <>
      <NavItem
        to="."
        search={(search: object) => ({ ...search, folder: path === '' ? undefined : path })}
        activeOptions={{ exact: true, includeSearch: true }}
        label={name}
        rightSection={notes !== undefined && <NoteCount notes={notes} />}
        leftSection={<FolderIcon size={16} stroke={1.6} aria-hidden />}
        pl={10 + indentPx * depth}
        py={6}
      />
      {isOpen &&
        path !== '' &&
        folders.map((each) => (
          <FolderItem key={each.path} folder={each} current={current} depth={depth + 1} />
        ))}
    </>
  );
};

const NoteCount = ({ notes }: { readonly notes: number }) => (
  <Text span size="xs">
    {notes}
    <VisuallyHidden>{notes === 1 ? ' note' : ' notes'}</VisuallyHidden>
  </Text>
);
