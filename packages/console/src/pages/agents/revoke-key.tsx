import { Button, Checkbox, Group, Stack, Text } from '@mantine/core';
import type { Schema } from '@commonplace/client';
import { notifications } from '@mantine/notifications';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { apiOf } from '../../api/api.ts';
import { activeKeysQuery, invalidateKeys } from '../../api/credential-queries.ts';
import { reloadWhenSettled } from '../../api/reload-when-settled.ts';
import { ErrorAlert } from '../../components/error-alert.tsx';
import { Moment } from '../../components/moment.tsx';
import { RelativeTime } from '../../components/relative-time.tsx';

type ApiKey = Schema<'ApiKey'>;

type RevokeKeyProps = { readonly apiKey: ApiKey; readonly onDone: () => void };

/** The active keys that a key replaced, directly or through another. */
const replacedBy = (id: string, active: readonly ApiKey[]): readonly ApiKey[] =>
  active
    .filter((key) => key.replacedBy === id)
    .flatMap((key) => [key, ...replacedBy(key.id, active)]);

const revoke = ({ companyId, agentId, id: keyId }: ApiKey) =>
  apiOf(companyId).delete('/api/agents/{agentId}/keys/{keyId}', {
    params: { path: { agentId, keyId } },
  });

const sayRevoked = ({ name }: ApiKey, olderCount: number): void => {
  const others = olderCount === 0 ? '' : `, and ${olderCount} that it replaced`;
  notifications.show({ message: `The key ${name} was revoked${others}.` });
};

/**
 * Says when a key was last used and which keys it replaced are still valid, and revokes it, or
 * those too.
 */
export const RevokeKey = ({ apiKey, onDone }: RevokeKeyProps) => {
  const { companyId, agentId, id } = apiKey;
  const client = useQueryClient();
  const query = useQuery(activeKeysQuery(companyId, agentId));
  const older = replacedBy(id, query.data ?? []);
  const [withOlder, setWithOlder] = useState(true);
  const revoked = withOlder ? [...older, apiKey] : [apiKey];
  const change = useMutation({
    mutationFn: async () => {
      for (const key of revoked) {
        await revoke(key);
      }
    },
    onSuccess: () => {
      sayRevoked(apiKey, revoked.length - 1);
      onDone();
    },
    onSettled: reloadWhenSettled(() => invalidateKeys(client, companyId, agentId)),
  });
  return (
    <Stack>
      {change.isError && <ErrorAlert error={change.error} />}
      {query.isError && (
        <ErrorAlert error={query.error}>
          Whether a key that it replaced is still valid could not be read.
        </ErrorAlert>
      )}
      <WhatEnds apiKey={apiKey} older={older} />
      {older.length > 0 && (
        <Checkbox
          label={older.length === 1 ? 'Revoke that key as well' : 'Revoke those keys as well'}
          checked={withOlder}
          onChange={({ currentTarget: { checked } }) => setWithOlder(checked)}
        />
      )}
      <Group justify="flex-end">
        <Button variant="default" data-autofocus onClick={onDone}>
          Cancel
        </Button>
        <Button
          color="red"
          loading={query.isPending || change.isPending}
          onClick={() => change.mutate()}
        >
          {revoked.length === 1 ? 'Revoke key' : `Revoke ${revoked.length} keys`}
        </Button>
      </Group>
    </Stack>
  );
};

type WhatEndsProps = { readonly apiKey: ApiKey; readonly older: readonly ApiKey[] };

/** When the key was last used, and which keys it replaced are still valid. */
const WhatEnds = ({ apiKey: { lastUsedAt }, older }: WhatEndsProps) => (
  <>
    <Text size="sm">Requests with this key and with its runs are rejected within a second.</Text>
    <Text size="sm">
      {lastUsedAt === null ? (
        'It was never used.'
      ) : (
        <>
          Last used <RelativeTime at={lastUsedAt} />.
        </>
      )}
    </Text>
    {older.map((key) => (
      <Text key={key.id} size="sm">
        The key that it replaced, {key.name} ({key.prefix}…), is still valid. Last used:{' '}
        <Moment at={key.lastUsedAt} />, ends: <Moment at={key.expiresAt} />.
      </Text>
    ))}
  </>
);
