import { Button, Group, Paper, Stack, Text, TextInput, Title } from '@mantine/core';
import type { Schema } from '@commonplace/client';
import { useForm } from '@mantine/form';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { api } from '../../api/api.ts';
import { addPasskey, hasPasskeys, isCancelled } from '../../api/passkeys.ts';
import { keys } from '../../api/query-keys.ts';
import { passkeysQuery } from '../../api/session-queries.ts';
import { confirm } from '../../components/confirm.tsx';
import { ErrorAlert } from '../../components/error-alert.tsx';
import { RelativeTime } from '../../components/relative-time.tsx';

/** The passkeys of the operator: add, list and remove. */
export const PasskeyList = () => {
  const client = useQueryClient();
  const passkeys = useQuery(passkeysQuery);
  const form = useForm({ initialValues: { name: '' } });
  const onSuccess = () => client.invalidateQueries({ queryKey: keys.session });
  const add = useMutation({
    mutationFn: addPasskey,
    onSuccess: () => {
      form.reset();
      return onSuccess();
    },
  });
  const remove = useMutation({
    mutationFn: (passkeyId: string) =>
      api.delete('/api/auth/passkeys/{passkeyId}', { params: { path: { passkeyId } } }),
    onSuccess,
  });
  const error = add.error ?? remove.error ?? passkeys.error;
  return (
    <Paper className="panel" withBorder p="lg">
      <Stack>
        <Title order={2}>Passkeys</Title>
        <Text size="sm">Sign in with this device or a security key, without a password.</Text>
        {error && !isCancelled(error) && <ErrorAlert error={error} />}
        {passkeys.data?.items.map((passkey) => (
          <PasskeyRow key={passkey.id} passkey={passkey} onRemove={remove.mutate} />
        ))}
        {hasPasskeys() ? (
          <form onSubmit={form.onSubmit(({ name }) => add.mutate(name.trim()))}>
            <Group align="end">
              <TextInput
                label="Name of the passkey"
                required
                withAsterisk={false}
                maxLength={100}
                {...form.getInputProps('name')}
              />
              <Button type="submit" loading={add.isPending}>
                Add a passkey
              </Button>
            </Group>
          </form>
        ) : (
          <Text size="sm">Browsers make none for this address. They need a host name.</Text>
        )}
      </Stack>
    </Paper>
  );
};

type RowProps = {
  readonly passkey: Schema<'Passkey'>;
  readonly onRemove: (id: string) => void;
};

const PasskeyRow = ({ passkey, onRemove }: RowProps) => (
  <Group justify="space-between" wrap="nowrap">
    <div>
      <Text fw={600} size="sm">
        {passkey.name}
      </Text>
      <Text size="sm" c="dimmed">
        Added <RelativeTime at={passkey.createdAt} />
        {passkey.isBackedUp && ', synchronised between devices'}
      </Text>
    </div>
    <Button
      size="xs"
      variant="default"
      aria-label={`Remove the passkey ${passkey.name}`}
      onClick={() =>
        confirm({
          title: `Remove ${passkey.name}?`,
          text: 'It can no longer sign in, and other sessions that it started end.',
          confirm: 'Remove',
          onConfirm: () => onRemove(passkey.id),
        })
      }
    >
      Remove
    </Button>
  </Group>
);
