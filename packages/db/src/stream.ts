import type { Db } from './create-db.ts';
import { jsonTypes } from './json-type-parsers.ts';
import { streamOnConnection } from './on-connection.ts';
import { reachOf, type Reachable } from './reach.ts';
import { scopedRowStream } from './scoped-row-stream.ts';
import type { CompanyStream, CompanyTx } from './scoped-tx.ts';
import { write } from './write.ts';

type StreamRows<Row> = (tx: CompanyStream) => AsyncIterable<Row[]>;

/**
 * As `read` in index order, for a statement with many rows: streams them in batches, as they arrive. They become JSON
 * again, so timestamps and JSON columns are text (see `json-type-parsers.ts`).
 */
export async function* stream<Row extends object>(
  defaults: Db,
  of: Reachable,
  work: StreamRows<Row>,
): AsyncGenerator<Row[], void> {
  const db = { ...defaults, types: jsonTypes };
  const reach = reachOf(of);
  if (db.isCitus) {
    yield* await write(db, reach, (tx) => bufferedParts(tx, work));
    return;
  }
  yield* streamOnConnection(db.pool, (client) => {
    const query: CompanyStream['query'] = (text, values, name) =>
      scopedRowStream(db, client, {
        scope: { reach, isInIndexOrder: true },
        statement: { text, values, name },
      });
    return work({ ...reach, query } as CompanyStream);
  });
}

/** Buffers all parts, because a transaction may run again. */
const bufferedParts = async <Row extends object>(
  { companyId, folders, query: run }: CompanyTx,
  work: StreamRows<Row>,
): Promise<Row[][]> => {
  const query: CompanyStream['query'] = async function* (text, values, name) {
    yield await run(text, values, name);
  };
  const parts: Row[][] = [];
  for await (const part of work({ companyId, folders, query } as CompanyStream)) {
    parts.push(part);
  }
  return parts;
};
