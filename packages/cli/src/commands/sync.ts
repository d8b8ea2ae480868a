import { createClient } from '@commonplace/client';
import type { Command } from '../command.ts';
import { readAccess } from '../config.ts';
import { catchStopSignals } from '../heartbeat/stop-signals.ts';
import { describeSummary, type SyncSummary } from '../sync/sync-summary.ts';
import { dryRun } from '../sync/scan-folder.ts';
import { openFolder, type OpenFolder } from '../sync/open-folder.ts';
import { parseSyncOptions, type SyncCommandOptions } from '../sync/parse-sync-options.ts';
import { createProgressView } from '../sync/progress-view.ts';
import { openFolderSync } from '../sync/sync-folder.ts';
import { createWatchLog } from '../sync/watch-log.ts';
import { watchFolder } from '../sync/watch-folder.ts';

const help = `Usage: commonplace sync <folder> [options]

Synchronises a folder of Markdown files with the notes of the agent's company, in both directions.
Changes made on both sides are merged; if that is impossible, yours are kept in a second file.

Options:
  -w, --watch      keep running, and synchronise whenever a file or a note changes
  --delete         delete the notes of deleted files; without it, the files are restored
  --delete-many    the same, even if more than 10 files and more than a quarter of all are deleted
  --background     send more than 500 changes as background jobs
  --dry-run        only print what would be sent
  -h, --help       print this text

Environment:
  COMMONPLACE_URL             URL of the gateway; default http://127.0.0.1:8080
  COMMONPLACE_API_KEY         the agent's API key; not an argument, because all users can read those
  COMMONPLACE_API_KEY_FILE    a file with the key instead; read again for every request
Inside a heartbeat the default credential is the run's token.

The exit code is 0 if both sides are equal, 1 if files or notes were skipped (each is listed with the
reason), 125 if the synchronisation failed, 130 or 143 after a signal.
`;

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
  if (options === 'help') {
    process.stdout.write(help);
    return 0;
  }
  const { baseUrl, credential } = readAccess();
  const api = createClient({ baseUrl, credential });
  const { data: agent } = await api.get('/api/agents/me');
  const opened = await openFolder(api, options.root, { baseUrl, companyId: agent.companyId });
  try {
    if (options.isDryRun) {
      (await dryRun(opened.folder)).forEach(log);
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
  const progress = createProgressView(process.stderr);
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
    describeSummary(summary).forEach(write);
    if (!options.isWatching) {
      return summary.problems.length > 0 ? 1 : 0;
    }
    write(`watching ${options.root}`);
    const watchLog = createWatchLog(write, summary);
    await watchFolder({
      api,
      root: options.root,
      signal,
      syncOnce: async () => {
        const next = await syncOnce();
        watchLog.logSummary(next);
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

/** `commonplace sync`: synchronises a folder of Markdown files with a company's notes. */
export const sync: Command = {
  summary: 'synchronise a folder of Markdown files with the notes',
  help,
  run,
};
