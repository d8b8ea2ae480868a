import { Button, Group, Stack, TagsInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useState } from 'react';
import { tagProblem } from '../tag-problem.ts';
import { tagDebounceMs, useTagSuggestions } from '../use-tag-suggestions.ts';
import type { BulkAction, ListedNote } from '../../../app/bulk/bulk-task.ts';

type TagFormProps = {
  readonly notes: readonly ListedNote[];
  readonly onTag: (action: BulkAction) => void;
};

/** The form for the tags that notes get and lose. Their other tags stay. */
export const TagForm = ({ notes, onTag }: TagFormProps) => {
  const [add, setAdd] = useState<string[]>([]);
  const [remove, setRemove] = useState<string[]>([]);
  const [text, setText] = useState('');
  const [typed] = useDebouncedValue(text, tagDebounceMs);
  const { tags, load } = useTagSuggestions(typed);
  const present = [...new Set(notes.flatMap((note) => note.tags))].toSorted();
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        onTag({ kind: 'tag', add, remove: remove.filter((tag) => !add.includes(tag)) });
      }}
    >
      <Stack>
        <TagsInput
          label="Add"
          description="Enter ends a tag."
          data={[...tags]}
          maxTags={64}
          data-autofocus
          value={add}
          error={tagProblem(add)}
          onChange={setAdd}
          searchValue={text}
          onSearchChange={setText}
          onFocus={load}
        />
        <TagsInput label="Remove" data={present} maxTags={64} value={remove} onChange={setRemove} />
        <Group justify="flex-end">
          <Button
            type="submit"
            disabled={add.length + remove.length === 0 || tagProblem(add) !== null}
          >
            Change tags
          </Button>
        </Group>
      </Stack>
    </form>
  );
};
