import { notifications } from '@mantine/notifications';
import { Suspense, useEffect, useSyncExternalStore } from 'react';
import { useCurrentCompanyId } from '../../api/use-company-id.ts';
import { lazyPart } from '../../on-demand/lazy-part.tsx';
import { partingMessage } from '../session/parting-message.ts';
import { bulkJob } from './bulk-job.ts';
import { endBulkJob } from './end-bulk-job.ts';
import { useBulkJob } from './use-bulk-job.ts';

/** Loaded by the list of notes, where bulk actions begin. */
const BulkSection = lazyPart(async () => (await import('./bulk-section.tsx')).BulkSection);

/** How far a bulk action is, on every page of its company without a bar of its own; it stops where another company is opened. */
export const BulkStatus = () => {
  const companyId = useCurrentCompanyId();
  const job = useBulkJob(companyId);
  const hasBar = useSyncExternalStore(bulkJob.subscribe, bulkJob.hasBar);
  useEffect(() => {
    if (companyId !== null && bulkJob.current()?.companyId !== companyId) {
      bulkJob.stop('You left the company, so the change of its notes has stopped.');
    }
  }, [companyId]);
  useEndWithSession();
  return (
    job &&
    companyId !== null &&
    !hasBar && (
      <Suspense>
        <BulkSection label="Change of notes" companyId={companyId} job={job} />
      </Suspense>
    )
  );
};

/** The layout of signed-in operators is there as long as their session. */
const useEndWithSession = (): void =>
  useEffect(() => {
    const message = partingMessage.take();
    if (message !== null) {
      notifications.show({ message, autoClose: false });
    }
    return endBulkJob;
  }, []);
