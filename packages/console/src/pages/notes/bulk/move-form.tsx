import { Button, Group, Stack } from '@mantine/core';
import { useState } from 'react';
import { FolderInput } from '../folder-input.tsx';
import type { BulkAction } from '../../../app/bulk/bulk-task.ts';
import { Form } from '../../../components/form.tsx';

type MoveFormProps = {
  readonly initial?: string;
  readonly isPending?: boolean;
  readonly onMove: (action: MoveAction) => void;
};

type MoveAction = Extract<BulkAction, { readonly kind: 'move' }>;

/** The form for the folder that notes are moved to: one of the company, or a new one. */
export const MoveForm = ({ initial = '', isPending = false, onMove }: MoveFormProps) => {
  const [folder, setFolder] = useState(initial);
  const [problem, setProblem] = useState<string | null>(null);
  return (
    <Form
      isSaving={isPending}
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
        <FolderInput
          description="One of the company, or a new one. Empty: no folder."
          data-autofocus
          value={folder}
          error={problem}
          onChange={setFolder}
        />
        <Group justify="flex-end">
          <Button type="submit" loading={isPending}>
            Move
          </Button>
        </Group>
      </Stack>
    </Form>
  );
};

/** As the API: no segment is empty, `.` or `..`. */
const isFolder = (folder: string): boolean =>
  folder === '' || folder.split('/').every((name) => !['', '.', '..'].includes(name));
