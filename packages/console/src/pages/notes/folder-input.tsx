import { Autocomplete, type AutocompleteProps } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { foldersQuery } from '../../api/label-queries.ts';
import { useCompanyId } from '../../api/use-company-id.ts';

/** A company may have thousands of folders; what one types finds the others. */
const shownMax = 100;

/** A field for a folder: one of the company, which it completes, or a new one. */
export const FolderInput = (props: AutocompleteProps) => {
  const [isWanted, setIsWanted] = useState(false);
  const { data: folders = [] } = useQuery({ ...foldersQuery(useCompanyId()), enabled: isWanted });
  return (
    <Autocomplete
      label="Folder"
      maxLength={512}
      limit={shownMax}
      // By typing, a click or the arrow keys: it would cover the fields below it.
      openOnFocus={false}
      comboboxProps={{ keepMounted: false }}
      {...props}
      data={folders.map(({ folder }) => folder).filter((folder) => folder !== '')}
      onFocus={(event) => {
        setIsWanted(true);
        props.onFocus?.(event);
      }}
    />
  );
};
