import { createClient } from '@commonplace/client';
import { internalErrorCode, type Command } from '../command.ts';
import { canMoveCursor, readAccess } from '../config.ts';
import { formatHelp } from '../format-help.ts';
import { catchStopSignals } from '../heartbeat/stop-signals.ts';
import { printJson } from '../print.ts';
import { describeSummary, hasNews, type SyncSummary } from '../sync/sync-summary.ts';
import { describeDryRun, dryRun } from '../sync/scan-folder.ts';
import { openFolder, type OpenFolder } from '../sync/open-folder.ts';
import {
  parseSyncOptions,
  syncFlags,
  type SyncCommandOptions,
} from '../sync/parse-sync-options.ts';
import { createProgressView } from '../sync/progress-view.ts';
import { openFolderSync } from '../sync/sync-folder.ts';
import { createWatchLog } from '../sync/watch-log.ts';
import { watchFolder } from '../sync/watch-folder.ts';

/** Writes one line to standard error. In a watch, lines start with their time. */
type Log = (line: string) => void;

const log: Log = (line) => {
  process.stderr.write(`commonplace sync: ${line}\n`);
};

const logWithTime: Log = (line) => {
  process.stderr.write(`${new Date().toISOString()} commonplace sync: ${line}\n`);
};

const run: Command['run'] = async (args) => {
  const options = parseSyncOptions(args);
  const { baseUrl, credential } = readAccess();
  const api = createClient({ baseUrl, credential });
  const { data: agent } = await api.get('/api/agents/me');
  const opened = await openFolder(api, options.root, { baseUrl, companyId: agent.companyId });
  try {
    if (options.isDryRun) {
      const planned = await dryRun(opened.folder);
      if (options.isJson) {
        printJson(planned);
      } else {
        describeDryRun(planned).forEach(log);
      }
      return 0;
    }
    return await synchronise(api, opened, options);
  } finally {
    await opened.close();
  }
};

const synchronise = async (
  api: ReturnType<typeof createClient>,
  { folder }: OpenFolder,
  options: SyncCommandOptions,
): Promise<number> => {
  const { stop: signal, exitCode } = catchStopSignals();
  const sync = openFolderSync(folder);
  const progress = createProgressView({ stream: process.stderr, canMoveCursor: canMoveCursor() });
  const onProgress = progress.show;
  const syncOnce = async (): Promise<SyncSummary> => {
    try {
      return await sync({ ...options, isWatching: options.isWatching, signal, onProgress });
    } finally {
      progress.clear();
    }
  };
  try {
    const summary = await syncOnce();
    const write = options.isWatching ? logWithTime : log;
    if (options.isJson) {
      printSummary(summary);
    } else {
      describeSummary(summary).forEach(write);
    }
    if (!options.isWatching) {
      return summary.problems.length > 0 ? 1 : 0;
    }
    write(`watching ${options.root}`);
    const watchLog = createWatchLog(write, summary);
    const logSummary = options.isJson ? printNews : watchLog.logSummary;
    await watchFolder({
      api,
      root: options.root,
      signal,
      syncOnce: async () => {
        const next = await syncOnce();
        logSummary(next);
        return next;
      },
      onError: watchLog.logError,
    });
  } catch (error) {
    if (!signal.aborted) {
      throw error;
    }
  }
  return exitCode();
};

/** One line, so that a program can read the summaries of a watch one by one. */
const printSummary = (summary: SyncSummary): void => {
  process.stdout.write(`${JSON.stringify(summary)}\n`);
};

const printNews = (summary: SyncSummary): void => {
  if (hasNews(summary) || summary.problems.length > 0) {
    printSummary(summary);
  }
};

/** `commonplace sync`: synchronises a folder of Markdown files with a company's notes. */
export const sync: Command = {
  name: 'sync',
  help: formatHelp({
    name: 'sync',
    usage: '<folder> [options]',
    about: `Synchronises a folder of Markdown files with the notes of the agent's company, in both directions.
Changes made on both sides are merged; if that is impossible, yours are kept in a second file.`,
    flags: syncFlags,
    footer: `The exit code is 0 if both sides are equal, 1 if files or notes were skipped (each is listed with the
reason), 125 if the synchronisation failed, 130 or 143 after a signal.`,
  }),
  flags: syncFlags,
  failureCode: internalErrorCode,
  run,
};
