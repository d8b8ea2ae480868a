import {
  Button,
  Group,
  SimpleGrid,
  Stack,
  Switch,
  TagsInput,
  type TagsInputProps,
  Textarea,
  TextInput,
} from '@mantine/core';
import { useForm } from '@mantine/form';
import { useDebouncedValue } from '@mantine/hooks';
import { useState } from 'react';
import { useLeaveGuard } from '../../app/use-leave-guard.ts';
import { ErrorAlert } from '../../components/error-alert.tsx';
import { Markdown } from './markdown.tsx';
import { changedFields, type NoteText } from './note-text.ts';
import { useTagSuggestions } from './use-tag-suggestions.ts';

type NoteFormProps = {
  /** The saved text; anything else is unsaved work. */
  readonly saved: NoteText;
  readonly initial: NoteText;
  readonly error: unknown;
  readonly isPending: boolean;
  readonly onSave: (text: NoteText) => void;
};

const previewMs = 150;

/** The editor of a note with a preview. Leaving with unsaved changes has to be confirmed. */
export const NoteForm = ({ saved, initial, error, isPending, onSave }: NoteFormProps) => {
  const form = useForm({ initialValues: initial });
  useLeaveGuard(changedFields(saved, form.values).length > 0);
  const [previewed] = useDebouncedValue(form.values.content, previewMs);
  return (
    <form onSubmit={form.onSubmit(onSave)}>
      <Stack>
        <SimpleGrid cols={{ base: 1, sm: 2 }}>
          <TextInput label="Title" maxLength={500} {...form.getInputProps('title')} />
          <TextInput
            label="Folder"
            placeholder="projects/2026"
            maxLength={512}
            {...form.getInputProps('folder')}
          />
        </SimpleGrid>
        <TagsField {...form.getInputProps('tags')} />
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
            <Markdown>{previewed}</Markdown>
          </section>
        </SimpleGrid>
        {/* Next to the button, because the top of a long note is out of view. */}
        {error !== null && error !== undefined && <ErrorAlert error={error} />}
        <Group justify="flex-end">
          <Button type="submit" loading={isPending}>
            Save
          </Button>
        </Group>
      </Stack>
    </form>
  );
};

const TagsField = (props: TagsInputProps) => {
  const [text, setText] = useState('');
  const { tags, load } = useTagSuggestions(text);
  return (
    <TagsInput
      label="Tags"
      {...props}
      data={[...tags]}
      searchValue={text}
      onSearchChange={setText}
      onFocus={(event) => {
        load();
        props.onFocus?.(event);
      }}
    />
  );
};
