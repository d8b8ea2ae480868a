import { Button, Group, Paper, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { notifications } from '@mantine/notifications';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { addPasskey, hasPasskeys, isAlreadyAdded, isCancelled } from '../../api/passkeys.ts';
import { keys } from '../../api/query-keys.ts';
import { passkeysQuery } from '../../api/session-queries.ts';
import { reloadWhenSettled } from '../../api/reload-when-settled.ts';
import { ErrorAlert } from '../../components/error-alert.tsx';
import { PasskeyPlace } from '../../components/passkey-place.tsx';
import { PasskeyRow } from './passkey-row.tsx';
import { SectionTitle } from '../../components/section-title.tsx';
import { Form } from '../../components/form.tsx';

/** The passkeys of the operator: add, list, rename and remove. */
export const PasskeyList = () => {
  const passkeys = useQuery(passkeysQuery);
  const form = useForm({ initialValues: { name: '' } });
  const add = useAddPasskey();
  return (
    <Paper className="panel" withBorder p="lg">
      <Stack>
        <SectionTitle>Passkeys</SectionTitle>
        <Text size="sm">Sign in with this device or a security key, without a password.</Text>
        {passkeys.error && <ErrorAlert error={passkeys.error} />}
        {passkeys.data?.items.map((passkey) => (
          <PasskeyRow key={passkey.id} passkey={passkey} />
        ))}
        {add.error && !isCancelled(add.error) && (
          <ErrorAlert error={add.error}>
            {isAlreadyAdded(add.error)
              ? 'This device has a passkey of your account already.'
              : null}
          </ErrorAlert>
        )}
        {hasPasskeys() ? (
          <Form
            isSaving={add.isPending}
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
          </Form>
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

const useAddPasskey = () => {
  const client = useQueryClient();
  return useMutation({
    mutationFn: addPasskey,
    onSuccess: (_data, name) => notifications.show({ message: `The passkey ${name} was added.` }),
    // Also one whose response was lost may be there.
    onSettled: reloadWhenSettled<unknown>(() =>
      client.invalidateQueries({ queryKey: keys.session }),
    ),
  });
};
