import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';

/** A statement and its plan. */
export type Explained = { readonly statement: string; readonly plan: string };

/**
 * Has the server log the plan of every statement of the notes service (`auto_explain` with analyze and buffers)
 * while `work` runs. Returns each different statement once, without those of the job queue, which is polled all
 * the time.
 */
export const explainWhile = async (
  { client, dataDir }: { readonly client: pg.Client; readonly dataDir: string },
  work: () => Promise<void>,
): Promise<readonly Explained[]> => {
  const log = join(dataDir, 'postgres', 'postgres.log');
  await client.query("alter role notes_app set session_preload_libraries = 'auto_explain'");
  for (const setting of ['log_analyze', 'log_buffers', 'log_nested_statements']) {
    await client.query(`alter role notes_app set auto_explain.${setting} = on`);
  }
  await client.query('alter role notes_app set auto_explain.log_min_duration = 0');
  await client.query('alter role notes_app set auto_explain.log_parameter_max_length = 0');
  await client.query(endConnections);
  await sleep(500);
  const before = readFileSync(log, 'utf8').length;
  await work();
  await sleep(500);
  await client.query('alter role notes_app reset all');
  await client.query(endConnections);
  return plansIn(readFileSync(log, 'utf8').slice(before));
};

const endConnections =
  "select pg_terminate_backend(pid) from pg_stat_activity where usename = 'notes_app'";

/** A log entry begins with its time; its other lines are indented. */
const plansIn = (text: string): Explained[] => {
  const entries = text.split(/\n(?=\d{4}-\d\d-\d\d )/);
  const byStatement = new Map<string, string>();
  for (const entry of entries) {
    const [, rest] = /duration: [\d.]+ ms {2}plan:\n([^]*)/.exec(entry) ?? [];
    const [, statement = '', plan] =
      /^\tQuery Text: ([^]*?)\n(?=\t\S[^\n]*\(cost=)([^]*)$/.exec(rest ?? '') ?? [];
    if (plan !== undefined && !/set_config|pg_catalog|job_queue/.test(statement)) {
      byStatement.set(oneLine(statement), shortened(plan.replaceAll(/^\t/gm, '').trimEnd()));
    }
  }
  return [...byStatement].map(([statement, plan]) => ({ statement, plan }));
};

/** Shortens lists of ids: a search has a thousand in its plan. */
const shortened = (plan: string): string =>
  plan.replaceAll(
    /\{([0-9a-f-]{36})((?:,[0-9a-f-]{36}){3,})\}/g,
    (_list, first: string, others: string) => `{${first}, and ${others.length / 37} more}`,
  );

const oneLine = (text: string): string => text.replaceAll(/\s+/g, ' ').trim();
