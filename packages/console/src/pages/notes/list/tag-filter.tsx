import { TextInput } from '@mantine/core';
import { IconTag } from '@tabler/icons-react';
import { useSearchText } from '../../../components/use-search-text.ts';
import { onDemand } from '../../../on-demand/on-demand.ts';
import { useStandIn } from '../../../on-demand/use-stand-in.ts';
import { useTagSuggestions } from '../use-tag-suggestions.ts';
import type { TagInputProps } from './tag-input.tsx';

const tagInput = onDemand<TagInputProps>(async () => (await import('./tag-input.tsx')).TagInput);

type TagFilterProps = {
  readonly tag: string | undefined;
  readonly onChange: (tag: string | undefined) => void;
};

/** Notes by a tag. The list of tags, and the code that positions it, is loaded when the field is about to be used. */
export const TagFilter = ({ tag, onChange }: TagFilterProps) => {
  const { tags, load } = useTagSuggestions(tag ?? '');
  const { text, type } = useSearchText({ value: tag, onChange });
  const { Control, takeOver, standIn } = useStandIn<TagInputProps, HTMLInputElement>(tagInput);
  const look = {
    'aria-label': 'Tag',
    placeholder: 'Tag',
    size: 'xs',
    leftSection: <IconTag size={16} aria-hidden />,
    w: 100,
    value: text,
  };
  return Control ? (
    <Control {...look} takeOver={takeOver} data={[...tags]} onFocus={load} onChange={type} />
  ) : (
    <TextInput
      {...look}
      {...standIn}
      role="combobox"
      aria-haspopup="listbox"
      aria-expanded={false}
      autoComplete="off"
      onFocus={() => {
        standIn.onFocus();
        load();
      }}
      onChange={(event) => type(event.currentTarget.value)}
    />
  );
};
