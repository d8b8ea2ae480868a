import { Stack, VisuallyHidden } from '@mantine/core';
import type { Schema } from '@commonplace/client';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Suspense, useState } from 'react';
import { lazyPart } from '../../../on-demand/lazy-part.tsx';
import { noteLists, notesQuery, withoutTwins, type NoteFilter } from '../../../api/note-queries.ts';
import { itemsOf } from '../../../api/pages.ts';
import { useCan } from '../../../app/session/use-can.ts';
import { useCompanyId } from '../../../api/use-company-id.ts';
import { FoundCount } from '../../../components/found-count.tsx';
import { ListBody } from '../../../components/list-body.tsx';
import { ListSkeleton } from '../../../components/skeletons.tsx';
import { idsInView } from '../bulk/ids-in-view.ts';
import { useSelection } from '../bulk/use-selection.ts';
import classes from './note-list.module.css';
import { HiddenTableHead, NoteTableHead } from './note-table-head.tsx';
import { NoteTable } from './note-table.tsx';
import { RowKeys } from './row-keys.tsx';
import { SearchSummary } from './search-summary.tsx';

/** Loaded with the first selection. */
const BulkBar = lazyPart(async () => (await import('../bulk/bulk-bar.tsx')).BulkBar);

const EmptyNoteList = lazyPart(async () => (await import('./empty-note-list.tsx')).EmptyNoteList);

type NoteListsProps = { readonly filter: NoteFilter };

/** The notes of a filter, some of which can be selected. Pinned ones are first, except in searches. */
export const NoteLists = ({ filter }: NoteListsProps) => {
  const lists = useNoteLists(filter);
  return (
    <>
      <Found {...lists} filter={filter} />
      <Lists {...lists} filter={filter} />
    </>
  );
};

type ListsProps = NoteListsProps & ReturnType<typeof useNoteLists>;

const Found = ({ filter, others, isPlain, pinned, listed, hasMore }: ListsProps) => {
  const isLoaded = others.data !== undefined && !(isPlain && pinned.data === undefined);
  return (
    <FoundCount
      noun="note"
      filter={filter}
      // What a search found stands above it.
      text={filter.q !== undefined && listed.length > 0 ? '' : null}
      query={{
        data: isLoaded ? { pages: [{ items: listed, nextCursor: null }] } : undefined,
        isPlaceholderData: others.isPlaceholderData,
        hasNextPage: hasMore,
      }}
    />
  );
};

const Lists = (props: ListsProps) => {
  const { filter, pinned, others, isPlain, hasPinned, selection, selectAll, bar, rowKeys } = props;
  // Otherwise the other notes would render first, and then move.
  if (isPlain && pinned.isPending) {
    return <ListSkeleton />;
  }
  const head = <NoteTableHead filter={filter} selectAll={selectAll} />;
  return (
    <Stack gap={4}>
      {bar}
      <RowKeys {...rowKeys} />
      {hasPinned && (
        <section aria-label="Pinned notes">
          {/* Its rows say so themselves, and a line separates the others: what is in sight are rows. */}
          <VisuallyHidden component="h2">Pinned</VisuallyHidden>
          <ListBody query={pinned} empty={null}>
            {(notes) => (
              <NoteTable label="Pinned notes" notes={notes} head={head} selection={selection} />
            )}
          </ListBody>
        </section>
      )}
      <section
        aria-label={hasPinned ? 'Other notes' : 'Notes'}
        className={hasPinned ? classes['others'] : undefined}
      >
        {filter.q !== undefined && <SearchSummary pages={others.data?.pages ?? []} />}
        {hasPinned && <VisuallyHidden component="h2">Other notes</VisuallyHidden>}
        <ListBody
          query={others}
          isAutomatic
          empty={
            <Suspense>
              <EmptyNoteList filter={filter} hasPinned={hasPinned} />
            </Suspense>
          }
        >
          {(notes) => (
            <NoteTable
              label={hasPinned ? 'Other notes' : 'Notes'}
              notes={withoutTwins(notes)}
              head={hasPinned ? <HiddenTableHead hasSelection={selection !== null} /> : head}
              selection={selection}
            />
          )}
        </ListBody>
      </section>
    </Stack>
  );
};

type Notes = readonly Schema<'ListedNote'>[];

/** Notes that were selected with all that match, and are not loaded in the list. Another list has none. */
const useMatching = (list: string, ids: readonly string[]) => {
  const [found, setFound] = useState<{ readonly list: string; readonly notes: Notes }>({
    list,
    notes: [],
  });
  const loaded = new Set(ids);
  return {
    notes: found.list === list ? found.notes.filter(({ id }) => !loaded.has(id)) : [],
    set: (notes: Notes) => setFound({ list, notes }),
  };
};

/** The two lists; only the notes that are loaded. */
const useLoadedNotes = (companyId: string, filter: NoteFilter) => {
  const lists = noteLists(companyId, filter);
  const isPlain = lists.pinned !== null;
  const pinned = useInfiniteQuery({
    ...(lists.pinned ?? notesQuery(companyId, { ...filter, isPinned: true })),
    enabled: isPlain,
  });
  const others = useInfiniteQuery(lists.others);
  const pinnedNotes = isPlain ? itemsOf(pinned.data) : [];
  return {
    pinned,
    others,
    isPlain,
    hasPinned: pinnedNotes.length > 0,
    listed: [...pinnedNotes, ...withoutTwins(itemsOf(others.data))],
    hasMore: others.hasNextPage || (isPlain && pinned.hasNextPage),
  };
};

/** The two lists, and what is selected in them. */
const useNoteLists = (filter: NoteFilter) => {
  const companyId = useCompanyId();
  const can = useCan();
  const loaded = useLoadedNotes(companyId, filter);
  const { listed, hasMore } = loaded;
  const ids = listed.map(({ id }) => id);
  const list = JSON.stringify([companyId, filter]);
  const selection = useSelection(list, ids);
  const matching = useMatching(list, ids);
  // A note that has left the list is not selected.
  const chosen = [...listed, ...matching.notes].filter(({ id }) => selection.ids.has(id));
  const [wasSelected, setWasSelected] = useState(false);
  if (chosen.length > 0 && !wasSelected) {
    setWasSelected(true);
  }
  return {
    ...loaded,
    rowKeys: {
      notes: listed,
      isAnyChosen: chosen.length > 0,
      mayDelete: can.write && filter.show !== 'deleted',
      onClear: () => selection.replace([]),
    },
    selection: can.write ? selection : null,
    selectAll: can.write
      ? {
          isAll: ids.length > 0 && chosen.length === ids.length && !hasMore,
          isSome: chosen.length > 0,
          onToggle: () => selection.replace(chosen.length > 0 ? [] : idsInView()),
        }
      : null,
    bar: can.write && wasSelected && (
      <Suspense>
        <BulkBar
          key={companyId}
          companyId={companyId}
          filter={filter}
          notes={chosen}
          hasMore={hasMore && !matching.notes.some(({ id }) => selection.ids.has(id))}
          loaded={listed}
          onClear={() => selection.replace([])}
          onDone={selection.remove}
          onSelectAll={(notes) => {
            matching.set(notes);
            selection.replace(notes.map(({ id }) => id));
          }}
        />
      </Suspense>
    ),
  };
};
