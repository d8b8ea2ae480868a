import { mkdir, realpath, stat } from 'node:fs/promises';
import { createClient } from '@commonplace/client';
import { internalErrorCode, type Command } from '../command.ts';
import { canMoveCursor, readAccess } from '../config.ts';
import { codeOf, describeError } from '../describe-error.ts';
import { UsageError } from '../errors.ts';
import { exitCodeOf, exitCodes } from '../exit-codes.ts';
import { formatHelp } from '../format-help.ts';
import { catchStopSignals, type StopSignals } from '../heartbeat/stop-signals.ts';
import { printError, printJson, printJsonLine, printText } from '../print.ts';
import { retryUntilDone } from '../retry-until-done.ts';
import { describeSummary, hasNews, type SyncSummary } from '../sync/sync-summary.ts';
import { describeDryRun, dryRun } from '../sync/dry-run.ts';
import type { FolderOwner } from '../sync/folder-owner.ts';
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
  printError(`commonplace sync: ${line}`);
};

const logWithTime: Log = (line) => {
  printError(`${new Date().toISOString()} commonplace sync: ${line}`);
};

const run: Command['run'] = async (args) => {
  const given = parseSyncOptions(args);
  const options = { ...given, root: await resolveRoot(given) };
  const { baseUrl, credential } = readAccess();
  const api = createClient({ baseUrl, credential });
  if (options.isDryRun) {
    const { data: agent } = await api.get('/api/agents/me');
    await showDryRun({ baseUrl, companyId: agent.companyId }, options);
    return 0;
  }
  const stopping = catchStopSignals();
  const { stop: signal, exitCode } = stopping;
  try {
    const { data: agent } = await first(
      () => api.get('/api/agents/me', { signal }),
      options,
      signal,
    );
    const { grants } = agent.credential;
    // Servers of earlier releases have no grants with this mode.
    const proposals = grants?.some(({ mode }) => mode === 'propose') === true;
    const owner = { baseUrl, companyId: agent.companyId };
    const opened = await openFolder(api, options.root, { ...owner, proposals });
    try {
      return await synchronise(api, opened, { ...options, stopping });
    } finally {
      await opened.close();
    }
  } catch (error) {
    if (!signal.aborted) {
      throw error;
    }
    return exitCode();
  }
};

const showDryRun = async (owner: FolderOwner, options: SyncCommandOptions): Promise<void> => {
  const planned = await dryRun(options.root, owner, options);
  if (options.isJson) {
    printJson(planned);
  } else {
    printText(describeDryRun(planned).join('\n'));
  }
};

/** What a watch does first waits for the server, as all that follows does: both may start with the machine. */
const first = <Result>(
  call: () => Promise<Result>,
  { isWatching }: SyncCommandOptions,
  signal: AbortSignal,
): Promise<Result> =>
  isWatching
    ? retryUntilDone(call, {
        signal,
        isRetryable: (error) => exitCodeOf(error) === exitCodes.unavailable,
        onFailure: (error) => logWithTime(`${describeError(error)}; retrying`),
      })
    : call();

/**
 * Returns the folder itself, not a link to it: a link is not watched, and may lead elsewhere tomorrow. A missing folder
 * is created, but not by a dry run.
 */
const resolveRoot = async ({ root, isDryRun }: SyncCommandOptions): Promise<string> => {
  try {
    if (!isDryRun) {
      await mkdir(root, { recursive: true });
    }
    const found = await realpath(root);
    if ((await stat(found)).isDirectory()) {
      return found;
    }
  } catch (error) {
    const code = codeOf(error) ?? '';
    if (!['EEXIST', 'ENOTDIR', 'ENOENT'].includes(code)) {
      throw error;
    }
    if (code === 'ENOENT') {
      throw new UsageError([`there is no folder ${root}`]);
    }
  }
  throw new UsageError([`${root} is not a folder: name the folder to synchronise`]);
};

const synchronise = async (
  api: ReturnType<typeof createClient>,
  { folder }: OpenFolder,
  options: SyncCommandOptions & { readonly stopping: StopSignals },
): Promise<number> => {
  const { isWatching } = options;
  const { stop: signal, exitCode } = options.stopping;
  const sync = openFolderSync(folder);
  const progress = createProgressView({ stream: process.stderr, canMoveCursor: canMoveCursor() });
  const onProgress = progress.show;
  const syncOnce = async (): Promise<SyncSummary> => {
    try {
      return await sync({ ...options, signal, onProgress });
    } finally {
      progress.clear();
    }
  };
  const summary = await first(syncOnce, options, signal);
  const write = isWatching ? logWithTime : log;
  if (options.isJson) {
    printJsonLine(summary);
  } else {
    describeSummary(summary).forEach(write);
  }
  if (!isWatching) {
    return summary.heldBack > 0 ? internalErrorCode : summary.problems.length > 0 ? 1 : 0;
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
  return exitCode();
};

const printNews = (summary: SyncSummary): void => {
  if (hasNews(summary) || summary.problems.length > 0) {
    printJsonLine(summary);
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
reason), 125 if the synchronisation failed or deletions are held back, 130 or 143 after a signal.`,
  }),
  flags: syncFlags,
  failureCode: internalErrorCode,
  run,
};
