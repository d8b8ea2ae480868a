import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { tagsQuery } from '../../api/label-queries.ts';
import { useCompanyId } from '../../api/use-company-id.ts';

/** So long after the last key the text of a field is looked up. */
export const tagDebounceMs = 250;

type TagSuggestions = {
  readonly tags: readonly string[];
  /** Starts loading: the field has the focus. */
  readonly load: () => void;
};

/** Tags in use that start with a text, loaded once its field has the focus. */
export const useTagSuggestions = (text: string): TagSuggestions => {
  const companyId = useCompanyId();
  const [isWanted, setIsWanted] = useState(false);
  // Without suggestions, for instance because the text is too long for a tag, the field still works.
  const { data: tags = [] } = useQuery({ ...tagsQuery(companyId, text.trim()), enabled: isWanted });
  return { tags, load: () => setIsWanted(true) };
};
