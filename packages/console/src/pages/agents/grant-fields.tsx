import { Stack, TagsInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { foldersQuery } from '../../api/label-queries.ts';
import { SelectField } from '../../components/select-field.tsx';
import type { GrantChoice } from './grant-choice.ts';

const presets: readonly { readonly value: GrantChoice['preset']; readonly label: string }[] = [
  { value: 'all', label: 'all notes' },
  { value: 'propose_all', label: 'all notes to read, its changes are proposals' },
  { value: 'append_all', label: 'all notes to read and add to, and some folders to change' },
  { value: 'read_all', label: 'all notes to read, and some folders to change' },
  { value: 'folders', label: 'only some folders' },
];

/** The lists of folders of a form, each with the presets that need it. */
const folderLists: readonly {
  readonly right: Exclude<keyof GrantChoice, 'preset' | 'others'>;
  readonly label: string;
  readonly description?: string;
  readonly presets: readonly GrantChoice['preset'][];
}[] = [
  {
    right: 'write',
    label: 'Folders to read and change',
    description:
      'With their subfolders; / is the notes without a folder. A folder that is renamed later has to be named again.',
    presets: ['propose_all', 'append_all', 'read_all', 'folders'],
  },
  {
    right: 'propose',
    label: 'Folders to read and propose changes to',
    description: 'A change counts when somebody accepts it.',
    presets: ['append_all', 'read_all', 'folders'],
  },
  {
    right: 'append',
    label: 'Folders to read and add to',
    description:
      'New notes, and text at the end of notes and of their sections. What is there stays.',
    presets: ['read_all', 'folders'],
  },
  { right: 'read', label: 'Folders to read only', presets: ['folders'] },
];

const grantsMax = 32;

type GrantFieldsProps = {
  readonly companyId: string;
  readonly label: string;
  readonly value: GrantChoice;
  readonly onChange: (value: GrantChoice) => void;
};

/** Chooses the folders whose notes an agent or a key reaches: of those that there are, or new ones. */
export const GrantFields = ({ companyId, label, value, onChange }: GrantFieldsProps) => {
  const [isWanted, setIsWanted] = useState(false);
  const { data: folders = [] } = useQuery({ ...foldersQuery(companyId), enabled: isWanted });
  const picker = {
    data: folders.map(({ folder }) => folder || '/'),
    maxTags: grantsMax,
    // A folder may have a comma in its name.
    splitChars: [],
    onFocus: () => setIsWanted(true),
  };
  return (
    <Stack gap="xs">
      <SelectField
        label={label}
        data={[...presets]}
        value={value.preset}
        allowDeselect={false}
        onChange={(preset) => onChange({ ...value, preset: preset as GrantChoice['preset'] })}
      />
      {folderLists
        .filter(({ presets: shownWith }) => shownWith.includes(value.preset))
        .map(({ right, label: name, description }) => (
          <TagsInput
            key={right}
            {...picker}
            label={name}
            description={description}
            value={[...value[right]]}
            onChange={(chosen) => onChange({ ...value, [right]: chosen })}
          />
        ))}
    </Stack>
  );
};
