import { TextInput, type TextInputProps } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { foldersQuery } from '../../api/label-queries.ts';
import { useCompanyId } from '../../api/use-company-id.ts';

/** A field for a folder: one of the company, which it completes, or a new one. */
export const FolderInput = (props: TextInputProps) => {
  const list = useId();
  const [isWanted, setIsWanted] = useState(false);
  const { data: folders = [] } = useQuery({ ...foldersQuery(useCompanyId()), enabled: isWanted });
  return (
    <>
      <TextInput
        label="Folder"
        maxLength={512}
        list={list}
        autoComplete="off"
        {...props}
        onFocus={(event) => {
          setIsWanted(true);
          props.onFocus?.(event);
        }}
      />
      <datalist id={list}>
        {folders.map(({ folder }) => (
          <option key={folder} value={folder} />
        ))}
      </datalist>
    </>
  );
};
