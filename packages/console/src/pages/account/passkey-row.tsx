import { Button, Group, Text, TextInput } from '@mantine/core';
import type { Schema } from '@commonplace/client';
import { useForm } from '@mantine/form';
import { useState } from 'react';
import { confirm } from '../../components/confirm.tsx';
import { RelativeTime } from '../../components/relative-time.tsx';

type PasskeyRowProps = {
  readonly passkey: Schema<'Passkey'>;
  readonly onRename: (name: string) => void;
  readonly onRemove: () => void;
};

/** One passkey, which can be renamed and removed. */
export const PasskeyRow = ({ passkey, onRename, onRemove }: PasskeyRowProps) => {
  const { name } = passkey;
  const [isEdited, setIsEdited] = useState(false);
  if (isEdited) {
    const onDone = (changed: string) => {
      setIsEdited(false);
      if (changed !== name) {
        onRename(changed);
      }
    };
    return <NewName name={name} onDone={onDone} onCancel={() => setIsEdited(false)} />;
  }
  return (
    <Group justify="space-between">
      <Description passkey={passkey} />
      <Group gap="xs">
        <Button
          size="xs"
          variant="default"
          aria-label={`Rename the passkey ${name}`}
          onClick={() => setIsEdited(true)}
        >
          Rename
        </Button>
        <Button
          size="xs"
          variant="default"
          aria-label={`Remove the passkey ${name}`}
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
    </Group>
  );
};

const Description = ({ passkey }: Pick<PasskeyRowProps, 'passkey'>) => {
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
  readonly onDone: (name: string) => void;
  readonly onCancel: () => void;
};

const NewName = ({ name, onDone, onCancel }: NewNameProps) => {
  const form = useForm({ initialValues: { name } });
  return (
    <form onSubmit={form.onSubmit((values) => onDone(values.name.trim() || name))}>
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
        <Button type="submit" variant="default">
          Save
        </Button>
        <Button variant="default" onClick={onCancel}>
          Cancel
        </Button>
      </Group>
    </form>
  );
};
