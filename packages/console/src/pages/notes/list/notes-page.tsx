import { Box, Button, Title } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { getRouteApi } from '@tanstack/react-router';
import { Suspense } from 'react';
import { lazyPart } from '../../../on-demand/lazy-part.tsx';
import type { NoteFilter } from '../../../api/note-queries.ts';
import { useCompanyId } from '../../../api/use-company-id.ts';
import { useCan } from '../../../app/session/use-can.ts';
import { confirm } from '../../../components/confirm.tsx';
import { ButtonLink } from '../../../components/links.tsx';
import { useOpenedByAddress } from '../../../components/use-opened-by-address.ts';
import { usePageTitle } from '../../../components/use-page-title.ts';
import { UnsavedNewNotes, useUnsavedNewNotes } from '../editor/unsaved-new-notes.tsx';
import { useExport } from '../export/use-export.ts';
import { FolderList } from './folder-list.tsx';
import { NoteFilters } from './note-filters.tsx';
import classes from './note-list.module.css';
import { CreateNoteLink } from './create-note-link.tsx';
import { NoteLists } from './note-lists.tsx';
import { useLiveNotes } from '../use-live-notes.ts';

const route = getRouteApi('/signed-in/companies/$companyId/notes');

/** Loaded with the first folder that is opened. */
const MoveFolder = lazyPart(async () => (await import('./move-folder.tsx')).MoveFolder);

/** Loaded with the first export. */
const ExportStatus = lazyPart(
  async () => (await import('../export/export-status.tsx')).ExportStatus,
);

/** The notes of the company, updated live; folder, search and filters are in the address. */
export const NotesPage = () => {
  const companyId = useCompanyId();
  const { q, tag, folder, author, show, sort, order, open } = route.useSearch();
  const filter: NoteFilter = { q, tag, folder, author, show, sort, order };
  const { isOutdated, showLatest } = useLiveNotes(companyId);
  const exporting = useExport(companyId);
  useExportByAddress(open, folder, exporting);
  return (
    <>
      <NotesHeader
        filter={filter}
        isExporting={exporting.state.kind === 'running'}
        onExport={() => void exporting.start(folder)}
      />
      <Unsaved />
      {exporting.state.kind !== 'idle' && (
        <Suspense>
          <ExportStatus
            companyId={companyId}
            state={exporting.state}
            onCancel={exporting.cancel}
            onDismiss={exporting.dismiss}
          />
        </Suspense>
      )}
      <div className={classes['page']}>
        <FolderList companyId={companyId} current={folder} />
        <Box flex={1} miw={0}>
          <Box role="status" className="sticky-notice">
            {isOutdated && <OutdatedNotice onShow={showLatest} />}
          </Box>
          <NoteLists filter={filter} />
        </Box>
      </div>
    </>
  );
};

/** Confirms an export for an address with `open=export`; not while another export runs. */
const useExportByAddress = (
  open: string | undefined,
  folder: string | undefined,
  { state, start }: ReturnType<typeof useExport>,
): void =>
  useOpenedByAddress({
    open,
    wanted: 'export',
    mayOpen: true,
    openDialog: () => {
      if (state.kind === 'running') {
        notifications.show({ message: 'Another export is running. It can be cancelled.' });
        return;
      }
      // A browser offers to choose the place of a file only after a click.
      confirm({
        title: folder === undefined ? 'Export all notes?' : `Export the folder ${folder}?`,
        text: 'You get Markdown files in a zip, which is written while you stay on this page.',
        confirm: 'Export',
        isDangerous: false,
        onConfirm: () => void start(folder),
      });
    },
  });

/** What the operator began and did not save; who may not write any more copies it. */
const Unsaved = () => <UnsavedNewNotes unsaved={useUnsavedNewNotes()} />;

/** Stays in sight, because one has scrolled far. */
const OutdatedNotice = ({ onShow }: { readonly onShow: () => void }) => (
  <Button size="xs" variant="default" onClick={onShow}>
    Notes have changed. Show the latest
  </Button>
);

type NotesHeaderProps = {
  readonly filter: NoteFilter;
  readonly isExporting: boolean;
  readonly onExport: () => void;
};

/** One line where there is space for it: what counts on this page are its rows. */
const NotesHeader = ({ filter, isExporting, onExport }: NotesHeaderProps) => {
  const companyId = useCompanyId();
  const can = useCan();
  const { folder } = filter;
  usePageTitle('Notes');
  return (
    <div className={classes['header']}>
      <Title order={1} size="h2">
        Notes
      </Title>
      <NoteFilters filter={filter} />
      <div className={classes['actions']}>
        {folder !== undefined && can.write && (
          <Suspense>
            <MoveFolder folder={folder} />
          </Suspense>
        )}
        <Button size="xs" variant="default" disabled={isExporting} onClick={onExport}>
          {folder === undefined ? 'Export all' : 'Export folder'}
        </Button>
        {folder === undefined && (
          <ButtonLink
            size="xs"
            to="/companies/$companyId/sync-jobs"
            params={{ companyId }}
            variant="default"
          >
            Sync jobs
          </ButtonLink>
        )}
        <CreateNoteLink size="xs" />
      </div>
    </div>
  );
};
