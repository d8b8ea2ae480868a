import { partingMessage } from '../session/parting-message.ts';
import { bulkJob, type BulkJob } from './bulk-job.ts';
import { restOf } from './bulk-report.ts';
import { countNotes } from '../../components/count-notes.ts';
import { runningWord } from './bulk-task.ts';

/** Ends the bulk action with the session in which it began. The next page says how far it came, unless it was done. */
export const endBulkJob = (): void => {
  const job = bulkJob.current();
  if (job === null) {
    return;
  }
  const { action, ended, total } = progressOf(job);
  bulkJob.end();
  if (ended < total) {
    partingMessage.set(
      `${runningWord(action)} stopped at ${ended} of ${countNotes(total)}, because the session in which it began has ended.`,
    );
  }
};

const progressOf = (job: BulkJob) => {
  if (job.kind === 'running') {
    return job;
  }
  const { action, done, failed, left } = job.report;
  const total = done.length + failed.length + left.length;
  return { action, ended: total - restOf(job.report).length, total };
};
