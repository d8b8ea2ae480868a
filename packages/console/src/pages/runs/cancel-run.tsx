import { Button, VisuallyHidden } from '@mantine/core';
import type { Schema } from '@commonplace/client';
import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { apiOf } from '../../api/api.ts';
import { keys } from '../../api/query-keys.ts';
import { reloadWhenSettled } from '../../api/reload-when-settled.ts';
import { confirm } from '../../components/confirm.tsx';
import { detailOf } from '../../components/error-alert.tsx';

/** A run with the name of its agent. */
export type NamedRun = Schema<'Run'> & { readonly agentName: string };

type CancelRunProps = {
  readonly run: NamedRun;
  /** As the buttons beside it; smaller in a row of a table. */
  readonly size?: 'xs' | 'sm';
};

/** Returns what cancels a run after a confirmation. */
export const useCancelRun = () => {
  const client = useQueryClient();
  const cancel = useMutation({
    mutationFn: ({ companyId, id: runId }: NamedRun) =>
      apiOf(companyId).post('/api/runs/{runId}/cancel', { params: { path: { runId } } }),
    onError: (error) =>
      notifications.show({
        color: 'red',
        message: `The run was not cancelled: ${detailOf(error)}`,
      }),
    onSettled: reloadWhenSettled(({ companyId }: NamedRun) =>
      client.invalidateQueries({ queryKey: keys.company(companyId) }),
    ),
  });
  const confirmCancel = (run: NamedRun): void =>
    confirm({
      title: `Cancel this run of ${run.agentName}?`,
      text: 'Its token is rejected within a second, and its reserved amount is charged.',
      confirm: 'Cancel run',
      onConfirm: () => cancel.mutate(run),
    });
  return { confirmCancel, isPending: cancel.isPending };
};

/** Cancels a run after a confirmation. */
export const CancelRun = ({ run, size = 'xs' }: CancelRunProps) => {
  const { confirmCancel, isPending } = useCancelRun();
  return (
    <Button size={size} variant="default" loading={isPending} onClick={() => confirmCancel(run)}>
      Cancel…
      <VisuallyHidden>{` run ${run.id.slice(-8)}`}</VisuallyHidden>
    </Button>
  );
};
