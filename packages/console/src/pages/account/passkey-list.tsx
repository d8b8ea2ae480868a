import { Button, Group, Paper, Stack, Text, TextInput, Title } from '@mantine/core';
import type { Schema } from '@commonplace/client';
import { useForm } from '@mantine/form';
import { notifications } from '@mantine/notifications';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { api } from '../../api/api.ts';
import { addPasskey, hasPasskeys, isAlreadyAdded, isCancelled } from '../../api/passkeys.ts';
import { keys } from '../../api/query-keys.ts';
import { passkeysQuery } from '../../api/session-queries.ts';
import { ErrorAlert } from '../../components/error-alert.tsx';
import { PasskeyPlace } from '../../components/passkey-place.tsx';
import { PasskeyRow } from './passkey-row.tsx';

/** The passkeys of the operator: add, list, rename and remove. */
export const PasskeyList = () => {
  const passkeys = useQuery(passkeysQuery);
  const form = useForm({ initialValues: { name: '' } });
  const { add, rename, remove } = usePasskeyChanges();
  const error = add.error ?? rename.error ?? remove.error ?? passkeys.error;
  return (
    <Paper className="panel" withBorder p="lg">
      <Stack>
        <Title order={2}>Passkeys</Title>
        <Text size="sm">Sign in with this device or a security key, without a password.</Text>
        {error && !isCancelled(error) && (
          <ErrorAlert error={error}>
            {isAlreadyAdded(error) ? 'This device has a passkey of your account already.' : null}
          </ErrorAlert>
        )}
        {passkeys.data?.items.map((passkey) => (
          <PasskeyRow
            key={passkey.id}
            passkey={passkey}
            onRename={(name) => rename.mutate({ passkeyId: passkey.id, name })}
            onRemove={() => remove.mutate(passkey)}
          />
        ))}
        {hasPasskeys() ? (
          <form
            onSubmit={form.onSubmit(({ name }) =>
              add.mutate(name.trim(), { onSuccess: () => form.reset() }),
            )}
          >
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
          <PasskeyPlace otherwise={<NeedHostName />} />
        )}
      </Stack>
    </Paper>
  );
};

const NeedHostName = () => (
  <Text size="sm">Browsers make none for this address. They need a host name.</Text>
);

const usePasskeyChanges = () => {
  const client = useQueryClient();
  const refresh = () => client.invalidateQueries({ queryKey: keys.session });
  const add = useMutation({ mutationFn: addPasskey, onSuccess: refresh });
  const rename = useMutation({
    mutationFn: ({ passkeyId, name }: { readonly passkeyId: string; readonly name: string }) =>
      api.patch('/api/auth/passkeys/{passkeyId}', {
        params: { path: { passkeyId } },
        body: { name },
      }),
    onSuccess: (_data, { name }) => {
      notifications.show({ message: `The passkey is called ${name} now.` });
      return refresh();
    },
  });
  const remove = useMutation({
    mutationFn: ({ id: passkeyId }: Schema<'Passkey'>) =>
      api.delete('/api/auth/passkeys/{passkeyId}', { params: { path: { passkeyId } } }),
    onSuccess: (_data, { name }) => {
      notifications.show({ message: `The passkey ${name} was removed.` });
      return refresh();
    },
  });
  return { add, rename, remove };
};
