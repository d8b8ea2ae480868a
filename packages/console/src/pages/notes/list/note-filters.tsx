import { IconSearch, IconTag } from '@tabler/icons-react';
import type { NoteFilter } from '../../../api/note-queries.ts';
import { FilterSelect } from '../../../components/filter-select.tsx';
import { SearchField } from '../../../components/search-field.tsx';
import { useActorNames } from '../../../components/use-actor-names.ts';
import { useChangeSearch } from '../../../components/use-change-search.ts';
import classes from './note-list.module.css';
import { useTagSuggestions } from '../use-tag-suggestions.ts';

const views = [
  { value: 'conflicts', label: 'Conflicts' },
  { value: 'archived', label: 'Archived' },
  { value: 'deleted', label: 'Deleted' },
] as const;

const orders = [
  { value: 'createdAt', label: 'Recently created' },
  { value: 'title', label: 'Title' },
] as const;

/** Search, filters and order of the notes; all of them are in the address. */
export const NoteFilters = ({ filter }: { readonly filter: NoteFilter }) => {
  const change: (next: NoteFilter) => void = useChangeSearch();
  return (
    <div className={classes['filters']}>
      <SearchField
        aria-label="Search"
        size="xs"
        flex={1}
        miw={124}
        placeholder="Search title or text"
        leftSection={<IconSearch size={16} aria-hidden />}
        value={filter.q}
        onChange={(q) => change({ q })}
      />
      <TagFilter tag={filter.tag} onChange={(tag) => change({ tag })} />
      <ChangedByFilter
        id={filter.author}
        onChange={(author) => change({ author: author ?? undefined })}
      />
      <FilterSelect
        aria-label="Show"
        size="xs"
        unset="Active notes"
        data={views}
        value={filter.show}
        w={118}
        onChange={(value) => change({ show: views.find((view) => view.value === value)?.value })}
      />
      <FilterSelect
        aria-label="Sort by"
        size="xs"
        unset={filter.q === undefined ? 'Recently changed' : 'Best match'}
        data={orders}
        // A search is ordered by relevance.
        value={filter.q === undefined ? filter.sort : null}
        disabled={filter.q !== undefined}
        w={148}
        onChange={(value) =>
          change({ sort: orders.find((each) => each.value === value)?.value, order: undefined })
        }
      />
    </div>
  );
};

type ChangedByFilterProps = {
  readonly id: string | undefined;
  readonly onChange: (id: string | null) => void;
};

/** Notes by who made their current version, which may be no more than a move. */
const ChangedByFilter = ({ id, onChange }: ChangedByFilterProps) => {
  const { agents, members } = useActorNames();
  const known = [...agents, ...members];
  const others =
    id === undefined || known.some(([knownId]) => knownId === id)
      ? []
      : // Without any names, they are loading.
        [{ value: id, label: known.length > 0 ? 'Somebody else' : '…' }];
  return (
    <FilterSelect
      aria-label="Changed by"
      size="xs"
      unset="Changed by anyone"
      searchable
      data={[...others, ...known.map(([value, label]) => ({ value, label }))]}
      value={id}
      w={164}
      onChange={onChange}
    />
  );
};

type TagFilterProps = {
  readonly tag: string | undefined;
  readonly onChange: (tag: string | undefined) => void;
};

const TagFilter = ({ tag, onChange }: TagFilterProps) => {
  const { tags, load } = useTagSuggestions(tag ?? '');
  return (
    <>
      <SearchField
        aria-label="Tag"
        placeholder="Tag"
        size="xs"
        leftSection={<IconTag size={16} aria-hidden />}
        w={100}
        list="tags-in-use"
        autoComplete="off"
        onFocus={load}
        value={tag}
        onChange={onChange}
      />
      <datalist id="tags-in-use">
        {tags.map((each) => (
          <option key={each} value={each} />
        ))}
      </datalist>
    </>
  );
};
