import { Button, Group, Stack, Text } from '@mantine/core';
import type { Schema } from '@commonplace/client';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { apiOf } from '../../api/api.ts';
import { invalidateKeys } from '../../api/credential-queries.ts';
import { ErrorAlert } from '../../components/error-alert.tsx';
import { SelectField } from '../../components/select-field.tsx';
import { useHeldModal } from '../../components/use-held-modal.ts';
import { OneTimeKey } from './one-time-key.tsx';

const overlaps = [
  { value: '0', label: 'Expires immediately' },
  { value: '3600', label: 'Expires in an hour' },
  { value: '86400', label: 'Expires in a day' },
  { value: '604800', label: 'Expires in a week' },
];

/** Rotates a key and displays the new one once. The old key may stay valid for a while. */
export const RotateKey = ({ apiKey }: { readonly apiKey: Schema<'ApiKey'> }) => {
  const { id: keyId, agentId, companyId } = apiKey;
  const client = useQueryClient();
  const [overlap, setOverlap] = useState('86400');
  const rotate = useMutation({
    mutationFn: () =>
      apiOf(companyId).post('/api/agents/{agentId}/keys/{keyId}/rotate', {
        params: { path: { agentId, keyId } },
        body: { overlapSeconds: Number(overlap) },
      }),
    onSuccess: () => invalidateKeys(client, companyId, agentId),
  });
  useHeldModal(rotate.isPending);
  if (rotate.data) {
    return <OneTimeKey value={rotate.data.data.key} />;
  }
  return (
    <Stack>
      {rotate.isError && <ErrorAlert error={rotate.error} />}
      <Text size="sm">
        A new key replaces this one, and its runs go on. Revoke a key that leaked instead.
      </Text>
      <SelectField
        label="Old key"
        data={overlaps}
        value={overlap}
        allowDeselect={false}
        onChange={(value) => setOverlap(value ?? '0')}
      />
      <Group justify="flex-end">
        <Button loading={rotate.isPending} onClick={() => rotate.mutate()}>
          Rotate key
        </Button>
      </Group>
    </Stack>
  );
};
