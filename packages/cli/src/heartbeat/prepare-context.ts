import { createHash } from 'node:crypto';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { createClient, ProblemError, type ApiClient } from '@commonplace/client';
import { describeError } from '../describe-error.ts';
import type { KeptRun } from './keep-run-alive.ts';
import type { HeartbeatOptions } from './parse-options.ts';
import { isTransient, retryUntilDone } from '../retry-until-done.ts';
import type { BeatContext } from './run-lifecycle.ts';

/** How long the context may take, with all attempts. After that the command runs without one. */
const fetchTimeoutMs = 30_000;

export type PreparedContext = {
  readonly markdown: string;
  /** Call after a successful beat: the next context lists what has changed since this one. */
  readonly keepCursor: () => Promise<void>;
};

/**
 * Fetches the context of a run with the token of the run. Returns undefined if none is requested, or if it cannot
 * be fetched, which is logged: the command may still do its work.
 */
export const prepareContext = async (
  { agentId, context }: Pick<HeartbeatOptions, 'agentId' | 'context'>,
  { token, ended }: Pick<KeptRun, 'token' | 'ended'>,
  { baseUrl, environment, signals, log }: BeatContext,
): Promise<PreparedContext | undefined> => {
  if (context === undefined) {
    return undefined;
  }
  const api = createClient({ baseUrl, credential: token });
  // What the context is for does not start after a stop signal, nor after the end of the run.
  const isNotNeeded = AbortSignal.any([signals.stop, ended]);
  const signal = AbortSignal.any([isNotNeeded, AbortSignal.timeout(fetchTimeoutMs)]);
  const fetchSince = (since: string | undefined) =>
    fetchContext(api, { query: context.query, since }, { signal, log });
  try {
    // Without a home folder this fails, as it does when the server is unavailable.
    const cursorFile = cursorFileOf({ agentId, baseUrl, environment });
    const { markdown, cursor } = await fetchSince(await readCursor(cursorFile)).catch(
      (error: unknown) => {
        if (error instanceof ProblemError && error.code === 'cursor_expired') {
          return fetchSince(undefined);
        }
        throw error;
      },
    );
    const keepCursor = () =>
      writeCursor(cursorFile, cursor).catch((error: unknown) =>
        log(`the position of the context was not saved: ${describeError(error)}`),
      );
    return { markdown, keepCursor };
  } catch (error) {
    if (!isNotNeeded.aborted) {
      log(`the command runs without a context: ${describeError(error)}`);
    }
    return undefined;
  }
};

type ContextQuery = { readonly query: string | undefined; readonly since: string | undefined };

const fetchContext = async (
  api: ApiClient,
  { query, since }: ContextQuery,
  { signal, log }: Pick<BeatContext, 'log'> & { readonly signal: AbortSignal },
): Promise<{ markdown: string; cursor: string }> => {
  const body = {
    ...(query === undefined ? {} : { query }),
    ...(since === undefined ? {} : { since }),
  };
  const headers = { Accept: 'text/markdown' };
  const { data, response } = await retryUntilDone(
    () => api.post('/api/context', { body, headers, parseAs: 'text', signal }),
    {
      isRetryable: isTransient,
      signal,
      onFailure: (error) => log(`no context yet: ${describeError(error)}; retrying`),
    },
  );
  return {
    markdown: data,
    cursor: response.headers.get('x-context-cursor') ?? '',
  };
};

type CursorOwner = Pick<BeatContext, 'baseUrl' | 'environment'> & { readonly agentId: string };

/** One file for each agent of each server, in the user's state folder (XDG Base Directory Specification). */
const cursorFileOf = ({ agentId, baseUrl, environment }: CursorOwner): string => {
  const state = environment['XDG_STATE_HOME'] || join(homeOf(environment), '.local', 'state');
  const owner = createHash('sha256').update(`${baseUrl} ${agentId}`).digest('hex').slice(0, 32);
  return join(state, 'commonplace', 'contexts', owner);
};

const homeOf = (environment: BeatContext['environment']): string => {
  const home = environment['HOME'] ?? homedir();
  // Relative to the current directory, every project would get the files of others.
  if (home === '') {
    throw new Error('HOME is empty, and there the position of the context would be kept');
  }
  return home;
};

const readCursor = async (file: string): Promise<string | undefined> => {
  const text = await readFile(file, 'utf8').catch(() => '');
  return text.trim() || undefined;
};

const writeCursor = async (file: string, cursor: string): Promise<void> => {
  await mkdir(join(file, '..'), { recursive: true, mode: 0o700 });
  const next = `${file}.${process.pid}`;
  await writeFile(next, `${cursor}\n`, { mode: 0o600 });
  await rename(next, file);
};
