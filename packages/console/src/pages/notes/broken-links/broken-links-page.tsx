import { Box, Table } from '@mantine/core';
import type { Schema } from '@commonplace/client';
import { IconLink } from '@tabler/icons-react';
import { useInfiniteQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { brokenLinksQuery } from '../../../api/broken-link-queries.ts';
import { useCompanyId } from '../../../api/use-company-id.ts';
import { EmptyState } from '../../../components/empty-state.tsx';
import { IndexingNotice } from '../../../components/indexing-notice.tsx';
import { ButtonLink, NameLink } from '../../../components/links.tsx';
import { ListBody } from '../../../components/list-body.tsx';
import { PageHeader } from '../../../components/page-header.tsx';
import { RowHeader } from '../../../components/row-header.tsx';
import { TableScroll } from '../../../components/table-scroll.tsx';
import { titleText } from '../../../components/title-text.ts';
import { FolderList } from '../list/folder-list.tsx';
import { FolderPath } from '../list/folder-path.tsx';
import classes from '../list/note-list.module.css';

const route = getRouteApi('/signed-in/companies/$companyId/notes/broken-links');

/** The links that lead to no note, of all notes or of a folder. */
export const BrokenLinksPage = () => {
  const companyId = useCompanyId();
  const { folder } = route.useSearch();
  const query = useInfiniteQuery(brokenLinksQuery(companyId, folder));
  return (
    <>
      <PageHeader
        title="Broken links"
        description="Links to titles that no note has, and to notes that are deleted"
        actions={
          <ButtonLink
            size="xs"
            variant="default"
            to="/companies/$companyId/notes"
            params={{ companyId }}
            search={folder === undefined ? {} : { folder }}
          >
            Notes
          </ButtonLink>
        }
      />
      <div className={classes['page']}>
        <FolderList companyId={companyId} current={folder} />
        <Box flex={1} miw={0}>
          <ListBody
            query={query}
            found={{ noun: 'broken link', filter: { folder } }}
            empty={
              query.hasNextPage ||
              query.data?.pages.some(({ isComplete }) => !isComplete) ? null : (
                <EmptyState icon={IconLink} title="No broken links">
                  Every link leads to a note. Archived notes and conflict copies are left out.
                </EmptyState>
              )
            }
          >
            {(links) => <BrokenLinks companyId={companyId} links={links} />}
          </ListBody>
          <IndexingNotice pages={query.data?.pages} />
        </Box>
      </div>
    </>
  );
};

type BrokenLinksProps = {
  readonly companyId: string;
  readonly links: readonly Schema<'BrokenLink'>[];
};

const BrokenLinks = ({ companyId, links }: BrokenLinksProps) => (
  <TableScroll label="Broken links" minWidth={480}>
    <Table verticalSpacing="sm">
      <Table.Thead>
        <Table.Tr>
          <Table.Th>Note</Table.Th>
          <Table.Th>Links to</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {links.map(({ note, title }) => (
          <Table.Tr key={`${note.id} ${title}`}>
            <RowHeader maw={320}>
              <NameLink
                name={titleText(note.title)}
                to="/companies/$companyId/notes/$noteId"
                params={{ companyId, noteId: note.id }}
              />
              <FolderPath companyId={companyId} folder={note.folder} />
            </RowHeader>
            <Table.Td style={{ overflowWrap: 'anywhere' }} className="any-script">
              {title}
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  </TableScroll>
);
