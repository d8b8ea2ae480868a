import { Button, Group, Paper, Progress, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { foldersQuery } from '../../../api/label-queries.ts';
import { ErrorAlert } from '../../../components/error-alert.tsx';
import { Said } from '../../../components/said.tsx';
import { sumOf } from '../list/folder-tree.ts';
import type { ExportState } from './use-export.ts';

type ExportStatusProps = {
  readonly companyId: string;
  readonly state: ExportState;
  readonly onCancel: () => void;
  readonly onDismiss: () => void;
};

/** How far an export is, and how it ended. */
export const ExportStatus = ({ companyId, state, onCancel, onDismiss }: ExportStatusProps) => (
  <div role="group" aria-label="Export">
    {state.kind === 'running' && <Running {...state} companyId={companyId} onCancel={onCancel} />}
    {state.kind === 'done' && (
      <Paper className="panel" withBorder p="md" mb="md">
        <Group justify="space-between">
          <Said>{`Exported ${count(state.notes)}.`}</Said>
          <Button size="compact-sm" variant="default" onClick={onDismiss}>
            Dismiss
          </Button>
        </Group>
      </Paper>
    )}
    {state.kind === 'failed' && (
      <Group mb="md" align="flex-start">
        <ErrorAlert error={state.error} />
        <Button variant="default" onClick={onDismiss}>
          Dismiss
        </Button>
      </Group>
    )}
  </div>
);

type RunningProps = Pick<ExportStatusProps, 'companyId' | 'onCancel'> & {
  readonly folder: string | undefined;
  readonly notes: number;
};

const Running = ({ companyId, folder, notes, onCancel }: RunningProps) => {
  const { data: folders = [] } = useQuery(foldersQuery(companyId));
  const total = sumOf(
    folders.filter(
      ({ folder: path }) =>
        folder === undefined || path === folder || path.startsWith(`${folder}/`),
    ),
  );
  // Notes may be created meanwhile.
  const percent = Math.min(100, (100 * notes) / Math.max(1, total));
  return (
    <Paper className="panel" withBorder p="md" mb="md">
      <Group justify="space-between" mb="xs">
        <Text size="sm">Exporting: {count(notes)} read</Text>
        <Button size="compact-sm" variant="default" onClick={onCancel}>
          Cancel export
        </Button>
      </Group>
      <Progress value={percent} aria-label="Part of the notes that is read" />
    </Paper>
  );
};

const format = new Intl.NumberFormat('en');

const count = (notes: number): string =>
  `${format.format(notes)} ${notes === 1 ? 'note' : 'notes'}`;
