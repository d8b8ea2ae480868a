import { Button, Group, Stack, Text, TextInput } from '@mantine/core';
import type { Schema } from '@commonplace/client';
import { useForm } from '@mantine/form';
import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../api/api.ts';
import { keys } from '../../api/query-keys.ts';
import { unlessGone } from '../../api/unless-gone.ts';
import { reloadWhenSettled } from '../../api/reload-when-settled.ts';
import { confirm } from '../../components/confirm.tsx';
import { ErrorAlert } from '../../components/error-alert.tsx';
import { Form } from '../../components/form.tsx';
import { latestError } from '../../components/latest-error.ts';
import { RelativeTime } from '../../components/relative-time.tsx';

type PasskeyRowProps = { readonly passkey: Schema<'Passkey'> };

/** One passkey, which can be renamed and removed. */
export const PasskeyRow = ({ passkey }: PasskeyRowProps) => {
  const { name } = passkey;
  const [isEdited, setIsEdited] = useState(false);
  const { rename, remove } = usePasskeyChanges(passkey);
  const error = latestError(rename, remove);
  const close = () => {
    setIsEdited(false);
    rename.reset();
  };
  return (
    <Stack gap="xs">
      {error && <ErrorAlert error={error} />}
      {isEdited ? (
        <NewName
          name={name}
          isSaving={rename.isPending}
          onSave={(changed) =>
            changed === name ? close() : rename.mutate(changed, { onSuccess: close })
          }
          onCancel={close}
        />
      ) : (
        <Group justify="space-between">
          <Description passkey={passkey} />
          <Actions
            name={name}
            isRemoving={remove.isPending}
            onRename={() => setIsEdited(true)}
            onRemove={() => remove.mutate()}
          />
        </Group>
      )}
    </Stack>
  );
};

const usePasskeyChanges = ({ id: passkeyId, name: before }: PasskeyRowProps['passkey']) => {
  const client = useQueryClient();
  const params = { path: { passkeyId } };
  const onSettled = reloadWhenSettled<unknown>(() =>
    client.invalidateQueries({ queryKey: keys.session }),
  );
  const rename = useMutation({
    mutationFn: (name: string) =>
      api.patch('/api/auth/passkeys/{passkeyId}', { params, body: { name } }),
    onSuccess: (_data, name) =>
      notifications.show({ message: `The passkey is called ${name} now.` }),
    onSettled,
  });
  const remove = useMutation({
    mutationFn: () => unlessGone(api.delete('/api/auth/passkeys/{passkeyId}', { params })),
    onSuccess: () => notifications.show({ message: `The passkey ${before} was removed.` }),
    onSettled,
  });
  return { rename, remove };
};

type ActionsProps = {
  readonly name: string;
  readonly isRemoving: boolean;
  readonly onRename: () => void;
  readonly onRemove: () => void;
};

const Actions = ({ name, isRemoving, onRename, onRemove }: ActionsProps) => (
  <Group gap="xs">
    <Button
      size="xs"
      variant="default"
      aria-label={`Rename the passkey ${name}`}
      disabled={isRemoving}
      onClick={onRename}
    >
      Rename
    </Button>
    <Button
      size="xs"
      variant="default"
      aria-label={`Remove the passkey ${name}`}
      loading={isRemoving}
      onClick={() =>
        confirm({
          title: `Remove ${name}?`,
          text: 'It can no longer sign in, and other sessions that it started end.',
          confirm: 'Remove',
          onConfirm: onRemove,
        })
      }
    >
      Remove
    </Button>
  </Group>
);

const Description = ({ passkey }: PasskeyRowProps) => {
  const { name, createdAt, lastUsedAt, isBackedUp } = passkey;
  return (
    <div>
      <Text fw={600} size="sm">
        {name}
      </Text>
      <Text size="sm" c="dimmed">
        Added <RelativeTime at={createdAt} />
        {lastUsedAt !== null && (
          <>
            , last used <RelativeTime at={lastUsedAt} />
          </>
        )}
        {isBackedUp && ', synchronised between devices'}
      </Text>
    </div>
  );
};

type NewNameProps = {
  readonly name: string;
  readonly isSaving: boolean;
  readonly onSave: (name: string) => void;
  readonly onCancel: () => void;
};

/** A field for another name. It stays until the name is saved. */
const NewName = ({ name, isSaving, onSave, onCancel }: NewNameProps) => {
  const form = useForm({ initialValues: { name } });
  return (
    <Form
      isSaving={isSaving}
      onSubmit={form.onSubmit((values) => onSave(values.name.trim() || name))}
    >
      <Group align="end">
        <TextInput
          label={`New name of ${name}`}
          required
          withAsterisk={false}
          maxLength={100}
          autoFocus
          onKeyDown={({ key }) => {
            if (key === 'Escape') {
              onCancel();
            }
          }}
          {...form.getInputProps('name')}
        />
        <Button type="submit" variant="default" loading={isSaving}>
          Save
        </Button>
        <Button variant="default" onClick={onCancel}>
          Cancel
        </Button>
      </Group>
    </Form>
  );
};
