import { IconSearch } from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import type { NoteFilter } from '../../../api/note-queries.ts';
import { useCompanyId } from '../../../api/use-company-id.ts';
import { FilterSelect } from '../../../components/filter-select.tsx';
import { SearchField } from '../../../components/search-field.tsx';
import { useActorNames } from '../../../components/use-actor-names.ts';
import { useChangeSearch } from '../../../components/use-change-search.ts';
import classes from './note-list.module.css';
import { TagFilter } from './tag-filter.tsx';

const views = [
  { value: 'conflicts', label: 'Conflicts' },
  { value: 'archived', label: 'Archived' },
  { value: 'deleted', label: 'Deleted' },
] as const;

const brokenLinks = { value: 'broken-links', label: 'Broken links' } as const;

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
        className={classes['search']}
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
      <ShowFilter show={filter.show} folder={filter.folder} onChange={(show) => change({ show })} />
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

type ShowFilterProps = Pick<NoteFilter, 'show' | 'folder'> & {
  readonly onChange: (show: NoteFilter['show']) => void;
};

/** Which notes are listed. Broken links are listed on a page of their own, which has the same folders. */
const ShowFilter = ({ show, folder, onChange }: ShowFilterProps) => {
  const companyId = useCompanyId();
  const navigate = useNavigate();
  return (
    <FilterSelect
      aria-label="Show"
      size="xs"
      unset="Active notes"
      data={[...views, brokenLinks]}
      value={show}
      w={118}
      onChange={(value) =>
        value === brokenLinks.value
          ? void navigate({
              to: '/companies/$companyId/notes/broken-links',
              params: { companyId },
              search: folder === undefined ? {} : { folder },
            })
          : onChange(views.find((view) => view.value === value)?.value)
      }
    />
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
