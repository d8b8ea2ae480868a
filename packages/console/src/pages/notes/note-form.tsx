import {
  Button,
  Group,
  SimpleGrid,
  Stack,
  Switch,
  TagsInput,
  Textarea,
  TextInput,
} from '@mantine/core';
import { useForm } from '@mantine/form';
import { useBlocker } from '@tanstack/react-router';
import { confirmLeaving } from '../../components/confirm.tsx';
import { ErrorAlert } from '../../components/error-alert.tsx';
import { Markdown } from './markdown.tsx';

/** What an operator writes of a note. */
export type NoteText = {
  readonly title: string;
  readonly content: string;
  readonly folder: string;
  readonly tags: string[];
  readonly pinned: boolean;
  readonly archived: boolean;
};

type NoteFormProps = {
  readonly initial: NoteText;
  readonly error: unknown;
  readonly isPending: boolean;
  readonly onSave: (text: NoteText) => void;
};

/** The editor of a note with its preview. Leaving with unsaved changes asks first. */
export const NoteForm = ({ initial, error, isPending, onSave }: NoteFormProps) => {
  const form = useForm({ initialValues: initial });
  useBlocker({
    shouldBlockFn: async () => form.isDirty() && !isPending && !(await confirmLeaving()),
    enableBeforeUnload: () => form.isDirty() && !isPending,
  });
  return (
    <form onSubmit={form.onSubmit(onSave)}>
      <Stack>
        {error !== null && error !== undefined && <ErrorAlert error={error} />}
        <SimpleGrid cols={{ base: 1, sm: 2 }}>
          <TextInput label="Title" maxLength={500} {...form.getInputProps('title')} />
          <TextInput
            label="Folder"
            placeholder="projects/2026"
            maxLength={512}
            {...form.getInputProps('folder')}
          />
        </SimpleGrid>
        <TagsInput label="Tags" {...form.getInputProps('tags')} />
        <Group>
          <Switch label="Pinned" {...form.getInputProps('pinned', { type: 'checkbox' })} />
          <Switch label="Archived" {...form.getInputProps('archived', { type: 'checkbox' })} />
        </Group>
        <SimpleGrid cols={{ base: 1, md: 2 }}>
          <Textarea
            label="Content"
            description="Markdown"
            autosize
            minRows={14}
            styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
            {...form.getInputProps('content')}
          />
          <section aria-label="Preview">
            <Markdown>{form.values.content}</Markdown>
          </section>
        </SimpleGrid>
        <Group justify="flex-end">
          <Button type="submit" loading={isPending}>
            Save
          </Button>
        </Group>
      </Stack>
    </form>
  );
};
