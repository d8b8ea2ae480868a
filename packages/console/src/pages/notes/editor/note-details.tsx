import { Code, Switch, TagsInput, type TagsInputProps, Text } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { useDebouncedValue } from '@mantine/hooks';
import { useState } from 'react';
import { FolderInput } from '../folder-input.tsx';
import classes from './note-form.module.css';
import type { NoteText } from '../note-text.ts';
import { tagProblem } from '../tag-problem.ts';
import { tagDebounceMs, useTagSuggestions } from '../use-tag-suggestions.ts';

type NoteDetailsProps = {
  readonly form: UseFormReturnType<NoteText>;
  /** Data of API clients, which no editor changes. */
  readonly properties: Readonly<Record<string, unknown>>;
};

/** What a note has besides title and text. */
export const NoteDetails = ({ form, properties }: NoteDetailsProps) => (
  <section aria-label="Details" className={classes['details']}>
    <FolderInput placeholder="projects/2026" {...form.getInputProps('folder')} />
    <TagsField
      {...form.getInputProps('tags')}
      error={tagProblem(form.values.tags) ?? form.errors['tags']}
    />
    <Switch label="Pinned" {...form.getInputProps('pinned', { type: 'checkbox' })} />
    <Switch label="Archived" {...form.getInputProps('archived', { type: 'checkbox' })} />
    {Object.keys(properties).length > 0 && (
      <div>
        <Text size="sm" fw={500} mb={4}>
          Properties
        </Text>
        <Code block tabIndex={0} role="region" aria-label="Properties">
          {JSON.stringify(properties, null, 2)}
        </Code>
      </div>
    )}
  </section>
);

const TagsField = (props: TagsInputProps) => {
  const [text, setText] = useState('');
  const [typed] = useDebouncedValue(text, tagDebounceMs);
  const { tags, load } = useTagSuggestions(typed);
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
