import { IconSearch } from '@tabler/icons-react';
import { SearchField } from './search-field.tsx';
import type { SearchText } from './use-search-text.ts';

/** Finds people in a list by a part of their name or email. */
export const PersonSearch = (props: SearchText) => (
  <SearchField
    label="Search"
    placeholder="Name or email"
    leftSection={<IconSearch size={16} aria-hidden />}
    maw={260}
    mb="md"
    maxLength={200}
    {...props}
  />
);
