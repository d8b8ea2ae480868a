import { TagsInput, Text, type TagsInputProps } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { foldersMax, foldersQuery } from '../../api/label-queries.ts';
import { reachesFolder, type Grant } from './grant-choice.ts';

/** A company may have thousands of folders; what one types finds the others. */
const shownMax = 100;

type FolderTagsProps = Omit<TagsInputProps, 'data' | 'value' | 'onChange'> & {
  readonly companyId: string;
  /** What is reached at most; null: all notes. */
  readonly within: readonly Grant[] | null;
  readonly value: readonly string[];
  readonly onChange: (folders: string[]) => void;
};

/**
 * A field for folders: Enter takes the highlighted one, first the one that is typed, so that no other one than was meant is
 * given access to. Of one without notes it says so, also when it was taken.
 */
export const FolderTags = ({ companyId, within, value, ...props }: FolderTagsProps) => {
  const [text, setText] = useState('');
  const typed = text.trim();
  const { folders, isNew, onFocus } = useFolders(companyId);
  const offered = folders.filter((folder) => within === null || reachesFolder(within, folder));
  const found = matchesOf(offered, typed);
  const others = found.filter((folder) => folder !== typed);
  const unknown = value.filter(isNew);
  return (
    <div>
      <TagsInput
        {...props}
        // What is typed is an option as well, so that one sees what Enter takes.
        data={typed === '' ? found : [typed, ...others]}
        filter={({ options }) => options}
        renderOption={({ option }) =>
          isNew(option.value) ? `${option.value} (no notes there yet)` : option.value
        }
        selectFirstOptionOnChange={typed !== ''}
        searchValue={text}
        onSearchChange={setText}
        value={[...value]}
        // A folder may have a comma in its name.
        splitChars={[]}
        onFocus={onFocus}
      />
      <Text size="sm" mt={4} role="status" style={{ overflowWrap: 'anywhere' }}>
        {unknown.length > 0 && `No notes there yet: ${unknown.join('; ')}`}
      </Text>
    </div>
  );
};

/** The folders of a company, which are read once somebody chooses, and which of them are new. */
const useFolders = (companyId: string) => {
  const [isWanted, setIsWanted] = useState(false);
  const { data } = useQuery({ ...foldersQuery(companyId), enabled: isWanted });
  const folders = (data ?? []).map(({ folder }) => folder || '/');
  const isComplete = data !== undefined && data.length < foldersMax;
  return {
    folders,
    isNew: (folder: string): boolean =>
      isComplete &&
      folder !== '/' &&
      !folders.some((each) => each === folder || each.startsWith(`${folder}/`)),
    onFocus: () => setIsWanted(true),
  };
};

/** The folders that have a text in their path, those that begin with it first. */
const matchesOf = (folders: readonly string[], text: string): string[] => {
  const wanted = text.toLowerCase();
  const found = folders.filter((folder) => folder.toLowerCase().includes(wanted));
  const begins = (folder: string) => folder.toLowerCase().startsWith(wanted);
  return [...found.filter(begins), ...found.filter((folder) => !begins(folder))].slice(0, shownMax);
};
