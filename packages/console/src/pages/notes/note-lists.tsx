import { Stack, Title } from '@mantine/core';
import type { Schema } from '@commonplace/client';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Suspense, useState } from 'react';
import { lazyPart } from '../../on-demand/lazy-part.ts';
import { noteLists, notesQuery, withoutTwins, type NoteFilter } from '../../api/note-queries.ts';
import { itemsOf } from '../../api/pages.ts';
import { useCan } from '../../app/use-can.ts';
import { useCompanyId } from '../../api/use-company-id.ts';
import { ListBody } from '../../components/list-body.tsx';
import { ListSkeleton } from '../../components/skeletons.tsx';
import { idsInView } from './bulk/ids-in-view.ts';
import { useSelection } from './bulk/use-selection.ts';
import { HiddenTableHead, NoteTableHead } from './note-table-head.tsx';
import { NoteTable } from './note-table.tsx';
import { useRowKeys } from './use-row-keys.ts';

/** Loaded with the first selection. */
const BulkBar = lazyPart(async () => (await import('./bulk/bulk-bar.tsx')).BulkBar);

const EmptyNoteList = lazyPart(async () => (await import('./empty-note-list.tsx')).EmptyNoteList);

/** The notes of a filter, some of which can be selected. Pinned ones are first, except in searches. */
export const NoteLists = ({ filter }: { readonly filter: NoteFilter }) => {
  const { pinned, others, isPlain, hasPinned, selection, selectAll, bar } = useNoteLists(filter);
  useRowKeys();
  // Otherwise the other notes would render first, and then move.
  if (isPlain && pinned.isPending) {
    return <ListSkeleton />;
  }
  const head = <NoteTableHead filter={filter} selectAll={selectAll} />;
  return (
    <Stack gap="lg">
      {bar}
      {hasPinned && (
        <section aria-label="Pinned notes">
          <Title order={2} size="h3" mb={4}>
            Pinned
          </Title>
          <ListBody query={pinned} empty={null}>
            {(notes) => <NoteTable notes={notes} head={head} selection={selection} />}
          </ListBody>
        </section>
      )}
      <section aria-label={hasPinned ? 'Other notes' : 'Notes'}>
        {hasPinned && (
          <Title order={2} size="h3" mb={4}>
            Other notes
          </Title>
        )}
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

/** What was selected of a list beyond the notes that are loaded. */
type Matching = { readonly list: string; readonly notes: readonly Schema<'ListedNote'>[] };

/** The two lists, and what is selected in them. */
const useNoteLists = (filter: NoteFilter) => {
  const companyId = useCompanyId();
  const can = useCan();
  const lists = noteLists(companyId, filter);
  const isPlain = lists.pinned !== null;
  const pinned = useInfiniteQuery({
    ...(lists.pinned ?? notesQuery(companyId, { ...filter, isPinned: true })),
    enabled: isPlain,
  });
  const others = useInfiniteQuery(lists.others);
  const pinnedNotes = isPlain ? itemsOf(pinned.data) : [];
  const listed = [...pinnedNotes, ...withoutTwins(itemsOf(others.data))];
  const ids = listed.map(({ id }) => id);
  const list = JSON.stringify([companyId, filter]);
  const selection = useSelection(list, ids);
  const [matching, setMatching] = useState<Matching>({ list, notes: [] });
  const loaded = new Set(ids);
  const notLoaded =
    matching.list === list ? matching.notes.filter(({ id }) => !loaded.has(id)) : [];
  // A note that has left the list is not selected.
  const chosen = [...listed, ...notLoaded].filter(({ id }) => selection.ids.has(id));
  const isMatchingChosen = notLoaded.some(({ id }) => selection.ids.has(id));
  const hasMore = others.hasNextPage || (isPlain && pinned.hasNextPage);
  const [wasSelected, setWasSelected] = useState(false);
  if (chosen.length > 0 && !wasSelected) {
    setWasSelected(true);
  }
  return {
    pinned,
    others,
    isPlain,
    hasPinned: pinnedNotes.length > 0,
    selection: can.write ? selection : null,
    selectAll: can.write
      ? {
          hasMore,
          isAll: ids.length > 0 && chosen.length === ids.length && !hasMore,
          isSome: chosen.length > 0,
          onChange: (isAll: boolean) =>
            selection.replace(hasMore ? (chosen.length > 0 ? [] : idsInView()) : isAll ? ids : []),
        }
      : null,
    bar: can.write && wasSelected && (
      <Suspense>
        <BulkBar
          key={companyId}
          companyId={companyId}
          filter={filter}
          notes={chosen}
          hasMore={hasMore && !isMatchingChosen}
          onSelect={selection.replace}
          onSelectMatching={(notes) => {
            setMatching({ list, notes });
            selection.replace(notes.map(({ id }) => id));
          }}
        />
      </Suspense>
    ),
  };
};
