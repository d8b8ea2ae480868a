import { coalesceFresh } from '@commonplace/concurrency';
import type { Db } from './create-db.ts';
import type { RunQuery, SqlValue } from './transaction.ts';

type Read = { readonly key: string; readonly send: () => Promise<object[]> };

const sendRead = ({ send }: Read) => send();

const coalescers = new WeakMap<Db, (read: Read) => Promise<object[]>>();

/**
 * Coalesces equal concurrent reads: many agents of a company read the same note, and all of them read the head of
 * its feed. Every caller gets the result of a read that was sent after its call, so this is no cache. Callers
 * share the rows and must not modify them.
 *
 * Applies to named statements only, because a name identifies one text.
 */
export const coalesced = (db: Db, scope: string, run: RunQuery): RunQuery => {
  const coalesce = coalescers.get(db) ?? coalesceFresh(sendRead);
  coalescers.set(db, coalesce);
  return <Row extends object>(text: string, values: readonly SqlValue[] = [], name?: string) => {
    if (name === undefined) {
      return run<Row>(text, values, name);
    }
    const key = JSON.stringify([scope, name, values]);
    return coalesce({ key, send: () => run(text, values, name) }) as Promise<Row[]>;
  };
};
