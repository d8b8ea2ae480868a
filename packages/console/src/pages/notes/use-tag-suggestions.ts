import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { tagsQuery } from '../../api/label-queries.ts';
import { useCompanyId } from '../../api/use-company-id.ts';

const debounceMs = 250;

type TagSuggestions = {
  readonly tags: readonly string[];
  /** Starts loading: the field has the focus. */
  readonly load: () => void;
};

/** Tags in use that start with the text of a field, loaded once the field has the focus. */
export const useTagSuggestions = (text: string): TagSuggestions => {
  const companyId = useCompanyId();
  const [isWanted, setIsWanted] = useState(false);
  const [prefix] = useDebouncedValue(text.trim(), debounceMs);
  // Without suggestions, for instance because the text is too long for a tag, the field still works.
  const { data: tags = [] } = useQuery({ ...tagsQuery(companyId, prefix), enabled: isWanted });
  return { tags, load: () => setIsWanted(true) };
};
