import { Stack } from '@mantine/core';
import { SelectField } from '../../components/select-field.tsx';
import { FolderTags } from './folder-tags.tsx';
import { withPreset, type Grant, type GrantChoice } from './grant-choice.ts';

const presets: readonly { readonly value: GrantChoice['preset']; readonly label: string }[] = [
  { value: 'all', label: 'all notes' },
  { value: 'propose_all', label: 'all notes to read, its changes are proposals' },
  { value: 'append_all', label: 'all notes to read and add to, and some folders to change' },
  { value: 'read_all', label: 'all notes to read, and some folders to change' },
  { value: 'folders', label: 'only some folders' },
];

const help =
  'With their subfolders; / is the notes without a folder. A folder that is renamed later has to be named again.';

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
    description: help,
    presets: ['propose_all', 'append_all', 'read_all', 'folders'],
  },
  {
    right: 'propose',
    label: 'Folders to read and propose changes to',
    description: 'A change takes effect when someone accepts it.',
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
  readonly error?: React.ReactNode;
  readonly onChange: (value: GrantChoice) => void;
  /** Who changes no notes chooses among all and some folders. */
  readonly isReadOnly?: boolean;
  /** What it reaches at most; null: all notes. */
  readonly within?: readonly Grant[] | null;
};

/** Chooses the folders whose notes somebody reaches: of those that there are, or new ones. */
export const GrantFields = ({
  companyId,
  label,
  value,
  error,
  onChange,
  isReadOnly = false,
  within = null,
}: GrantFieldsProps) => {
  const isSimple = isReadOnly || within !== null;
  return (
    <Stack gap="xs">
      <SelectField
        label={label}
        data={presets.filter((each) => !isSimple || ['all', 'folders'].includes(each.value))}
        value={value.preset}
        error={error}
        allowDeselect={false}
        onChange={(preset) => onChange(withPreset(value, preset as GrantChoice['preset']))}
      />
      {folderLists
        .filter(({ presets: shownWith }) => shownWith.includes(value.preset))
        .filter(({ right }) => !isReadOnly || right === 'read')
        .map(({ right, label: name, description }) => (
          <FolderTags
            key={right}
            companyId={companyId}
            within={within}
            maxTags={grantsMax}
            label={isReadOnly ? 'Folders' : name}
            description={isReadOnly ? help : description}
            value={value[right]}
            onChange={(chosen) => onChange({ ...value, [right]: chosen })}
          />
        ))}
    </Stack>
  );
};
