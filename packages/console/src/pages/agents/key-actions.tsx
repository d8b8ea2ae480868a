import { Button } from '@mantine/core';
import type { Schema } from '@commonplace/client';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { api } from '../../api/api.ts';
import { invalidateKeys } from '../../api/credential-queries.ts';
import { confirm } from '../../components/confirm.tsx';
import { ErrorAlert } from '../../components/error-alert.tsx';
import { modals } from '../../components/modals.ts';
import { RotateKey } from './rotate-key.tsx';

type ApiKey = Schema<'ApiKey'>;

type KeyActionsProps = {
  readonly apiKey: ApiKey;
  /** A name that no other key beside it has. */
  readonly label: string;
};

/** Rotates or revokes an active key. */
export const KeyActions = ({ apiKey, label }: KeyActionsProps) => {
  const client = useQueryClient();
  const revoke = useMutation({
    mutationFn: ({ agentId, id: keyId }: ApiKey) =>
      api.delete('/api/agents/{agentId}/keys/{keyId}', { params: { path: { agentId, keyId } } }),
    onSuccess: (_, { companyId, agentId }) => invalidateKeys(client, companyId, agentId),
  });
  const confirmRevoke = (): void =>
    confirm({
      title: `Revoke ${label}?`,
      text: 'Requests with this key and with its runs are rejected within a second.',
      confirm: 'Revoke key',
      onConfirm: () => revoke.mutate(apiKey),
    });
  return (
    <>
      {revoke.isError && <ErrorAlert error={revoke.error} />}
      <Button
        size="xs"
        variant="default"
        aria-label={`Rotate ${label}`}
        onClick={() =>
          modals.open({
            title: `Rotate ${label}`,
            size: 'lg',
            children: <RotateKey apiKey={apiKey} />,
          })
        }
      >
        Rotate
      </Button>
      <Button
        size="xs"
        variant="default"
        aria-label={`Revoke ${label}`}
        loading={revoke.isPending}
        onClick={confirmRevoke}
      >
        Revoke
      </Button>
    </>
  );
};
