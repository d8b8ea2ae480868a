import { Stack, Text } from '@mantine/core';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { IconHistory } from '@tabler/icons-react';
import { noteQuery, revisionsQuery } from '../../../api/note-queries.ts';
import { useCompanyId } from '../../../api/use-company-id.ts';
import { EmptyState } from '../../../components/empty-state.tsx';
import { ListBody } from '../../../components/list-body.tsx';
import { PageHeader } from '../../../components/page-header.tsx';
import { CompareVersions } from './compare-versions.tsx';
import { VersionRow } from './version-row.tsx';
import { BackToNote } from '../back-to-note.tsx';
import { useLiveNotes } from '../use-live-notes.ts';
import { titleText } from '../../../components/title-text.ts';

const route = getRouteApi('/signed-in/companies/$companyId/notes/$noteId/history');

/**
 * The versions of a note with their authors, texts and changes; each can be restored, and any two compared. What is open is
 * in the address.
 */
export const HistoryPage = () => {
  const companyId = useCompanyId();
  const { noteId } = route.useParams();
  const { version, chosen, open, compare } = useOpenVersions();
  useLiveNotes(companyId);
  const query = useInfiniteQuery(revisionsQuery(companyId, noteId));
  // A deleted note has a history but no title.
  const { data: note } = useQuery(noteQuery(companyId, noteId));
  return (
    <>
      <PageHeader
        title="History"
        description={note && titleText(note.title)}
        actions={<BackToNote companyId={companyId} noteId={noteId} />}
      />
      <Comparison noteId={noteId} chosen={chosen} onClose={() => compare([])} />
      <ListBody query={query} empty={<EmptyState icon={IconHistory} title="No revisions" />}>
        {(revisions) => (
          <Stack>
            {revisions.map((summary) => (
              <VersionRow
                key={summary.revision}
                noteId={noteId}
                summary={summary}
                newest={revisions[0] ?? summary}
                isOpen={summary.revision === version}
                onOpen={(isOpen) => open(isOpen ? summary.revision : undefined)}
                isCompared={chosen.includes(summary.revision)}
                onCompare={(isCompared) => {
                  const others = chosen.filter((each) => each !== summary.revision);
                  // A third one takes the place of the older one.
                  compare(isCompared ? [...others.slice(-1), summary.revision] : others);
                }}
              />
            ))}
          </Stack>
        )}
      </ListBody>
    </>
  );
};

type ComparisonProps = {
  readonly noteId: string;
  readonly chosen: readonly number[];
  readonly onClose: () => void;
};

const Comparison = ({ noteId, chosen: [from, to], onClose }: ComparisonProps) => {
  if (from === undefined) {
    return null;
  }
  return to === undefined ? (
    <Text role="status" mb="md">
      Revision {from} is chosen. Choose another one to compare it with.
    </Text>
  ) : (
    <CompareVersions noteId={noteId} from={from} to={to} onClose={onClose} />
  );
};

/** The version that is shown and those that are chosen for a comparison, the older one first. */
const useOpenVersions = () => {
  const { version, older, newer } = route.useSearch();
  const navigate = useNavigate();
  const change = (next: object): void => {
    void navigate({
      to: '.',
      search: (search: object) => ({ ...search, ...next }),
      replace: true,
      resetScroll: false,
    });
  };
  return {
    version,
    chosen: [older, newer].filter((each) => each !== undefined),
    open: (next: number | undefined) => change({ version: next }),
    compare: (versions: readonly number[]) => {
      const [first, second] = versions.toSorted((one, other) => one - other);
      change({ older: first, newer: second });
    },
  };
};
