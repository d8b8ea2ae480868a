import { Button, Group, Stack, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { foldersQuery } from '../../../api/label-queries.ts';
import { useCompanyId } from '../../../app/use-company-id.ts';
import type { BulkAction } from './bulk-task.ts';

type MoveFormProps = { readonly onMove: (action: BulkAction) => void };

/** The form for the folder that notes are moved to: one of the company, or a new one. */
export const MoveForm = ({ onMove }: MoveFormProps) => {
  const { data: folders = [] } = useQuery(foldersQuery(useCompanyId()));
  const [folder, setFolder] = useState('');
  const [problem, setProblem] = useState<string | null>(null);
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        const wanted = folder.trim();
        if (isFolder(wanted)) {
          onMove({ kind: 'move', folder: wanted });
        } else {
          setProblem('Separate names by single slashes, as in projects/2026.');
        }
      }}
    >
      <Stack>
        <TextInput
          label="Folder"
          description="One of the company, or a new one. Empty: no folder."
          maxLength={512}
          list="folders-in-use"
          autoComplete="off"
          data-autofocus
          value={folder}
          error={problem}
          onChange={(event) => setFolder(event.currentTarget.value)}
        />
        <datalist id="folders-in-use">
          {folders.map((each) => (
            <option key={each.folder} value={each.folder} />
          ))}
        </datalist>
        <Group justify="flex-end">
          <Button type="submit">Move</Button>
        </Group>
      </Stack>
    </form>
  );
};

/** As the API: no segment is empty, `.` or `..`. */
const isFolder = (folder: string): boolean =>
  folder === '' || folder.split('/').every((name) => !['', '.', '..'].includes(name));
