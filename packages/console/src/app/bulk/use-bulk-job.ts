import { useSyncExternalStore } from 'react';
import { bulkJob, type BulkJob } from './bulk-job.ts';

/** The bulk action on notes of a company, if there is one. */
export const useBulkJob = (companyId: string | null): BulkJob | null => {
  const job = useSyncExternalStore(bulkJob.subscribe, bulkJob.current);
  return job?.companyId === companyId ? job : null;
};
