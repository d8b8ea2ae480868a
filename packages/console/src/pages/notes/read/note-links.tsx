import { Button, Paper, SimpleGrid, Stack, Text, Title } from '@mantine/core';
import type { Schema } from '@commonplace/client';
import type { InfiniteData, UseInfiniteQueryResult } from '@tanstack/react-query';
import { useState } from 'react';
import { FailedLoad } from '../../../components/failed-load.tsx';
import { IndexingNotice } from '../../../components/indexing-notice.tsx';
import { TextLink } from '../../../components/links.tsx';
import { SectionSkeleton } from '../../../components/skeletons.tsx';
import { withoutMarks } from '../../../components/without-marks.ts';
import { NoteGraph } from './note-graph.tsx';
import { titleText } from '../../../components/title-text.ts';

type NoteLinksPage = Schema<'NoteLinks'>;

type NoteLinksProps = {
  readonly note: Pick<Schema<'NoteData'>, 'id' | 'companyId' | 'title'>;
  readonly query: UseInfiniteQueryResult<InfiniteData<NoteLinksPage>>;
};

const shownAtFirst = 10;
const shownMore = 50;

/** The links of a note, the notes that link to it, and a graph of both. */
export const NoteLinks = ({ note, query }: NoteLinksProps) => {
  const { companyId, id: noteId } = note;
  const [shown, setShown] = useState(shownAtFirst);
  const pages = query.data?.pages ?? [];
  const links = withoutDuplicates(pages.flatMap((page) => page.links));
  const backlinks = pages.flatMap((page) => page.backlinks);
  const loaded = Math.max(links.length, backlinks.length);
  const loadMore = (): void => {
    setShown(shown + shownMore);
    if (query.hasNextPage && shown + shownMore > loaded) {
      void query.fetchNextPage();
    }
  };
  return (
    <Paper component="section" aria-label="Links" className="panel" withBorder p="lg" mt="md">
      <Stack>
        <FailedLoad query={query} />
        {query.isPending && <SectionSkeleton />}
        {query.data && (
          <SimpleGrid cols={{ base: 1, sm: 2 }}>
            <Links companyId={companyId} links={links.slice(0, shown)} />
            <Backlinks companyId={companyId} backlinks={backlinks.slice(0, shown)} />
          </SimpleGrid>
        )}
        {(query.hasNextPage || loaded > shown) && (
          <Button
            variant="default"
            style={{ alignSelf: 'center' }}
            loading={query.isFetchingNextPage}
            onClick={loadMore}
          >
            Load more
          </Button>
        )}
        <IndexingNotice pages={pages} />
        <NoteGraph
          companyId={companyId}
          noteId={noteId}
          title={titleText(note.title)}
          links={{ links, backlinks }}
        />
      </Stack>
    </Paper>
  );
};

/** A note that is linked by title and by id is listed once. */
const withoutDuplicates = (links: NoteLinksPage['links']): NoteLinksPage['links'] => [
  ...new Map(links.map((link) => [link.target ?? `title ${link.title}`, link])).values(),
];

type LinksProps = Pick<NoteLinksPage, 'links'> & { readonly companyId: string };

const Links = ({ companyId, links }: LinksProps) => (
  <LinkList title="Links" empty="This note has no links.">
    {links.map(({ target, title }) => (
      <li key={target ?? `title ${title}`}>
        {target === null ? (
          <Unresolved title={title} />
        ) : (
          <NoteTitle companyId={companyId} noteId={target} title={title} />
        )}
      </li>
    ))}
  </LinkList>
);

type BacklinksProps = Pick<NoteLinksPage, 'backlinks'> & { readonly companyId: string };

const Backlinks = ({ companyId, backlinks }: BacklinksProps) => (
  <LinkList title="Backlinks" empty="No note links to this one.">
    {backlinks.map(({ id, title, snippet }) => (
      <li key={id}>
        <NoteTitle companyId={companyId} noteId={id} title={title} />
        <Text size="sm" c="dimmed" lineClamp={2}>
          {withoutMarks(snippet)}
        </Text>
      </li>
    ))}
  </LinkList>
);

type LinkListProps = {
  readonly title: string;
  readonly empty: string;
  readonly children: readonly React.ReactNode[];
};

const LinkList = ({ title, empty, children }: LinkListProps) => (
  <div>
    <Title order={2} size="h4" mb={4}>
      {title}
    </Title>
    {children.length === 0 ? (
      <Text c="dimmed" size="sm">
        {empty}
      </Text>
    ) : (
      <ul
        role="list"
        aria-label={title}
        style={{ margin: 0, padding: 0, listStyle: 'none', display: 'grid', rowGap: 6 }}
      >
        {children}
      </ul>
    )}
  </div>
);

const Unresolved = ({ title }: { readonly title: string }) => (
  <Text component="span" style={{ overflowWrap: 'anywhere' }}>
    {title}{' '}
    <Text span size="sm" c="dimmed">
      (no such note)
    </Text>
  </Text>
);

type NoteTitleProps = {
  readonly companyId: string;
  readonly noteId: string;
  readonly title: string;
};

const NoteTitle = ({ companyId, noteId, title }: NoteTitleProps) => (
  <TextLink
    to="/companies/$companyId/notes/$noteId"
    params={{ companyId, noteId }}
    style={{ overflowWrap: 'anywhere' }}
  >
    {titleText(title)}
  </TextLink>
);
