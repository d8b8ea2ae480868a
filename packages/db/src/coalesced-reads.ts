import { coalesceFresh } from '@commonplace/concurrency';
import type { Db } from './create-db.ts';
import type { RunQuery, SqlValue } from './transaction.ts';

type Question = { readonly key: string; readonly send: () => Promise<object[]> };

const ask = ({ send }: Question) => send();

const questions = new WeakMap<Db, (question: Question) => Promise<object[]>>();

/**
 * Makes equal reads that are asked at the same time share an answer: many agents of a company look at the
 * same note, and all of them ask where its feed stands. Nobody gets an answer to a question that was sent
 * before they asked, so this is no cache. The rows are everybody's: nobody may change them.
 *
 * Only statements with a name take part, because a name stands for a text.
 */
export const coalesced = (db: Db, scope: string, run: RunQuery): RunQuery => {
  const share = questions.get(db) ?? coalesceFresh(ask);
  questions.set(db, share);
  return <Row extends object>(text: string, values: readonly SqlValue[] = [], name?: string) => {
    if (name === undefined) {
      return run<Row>(text, values, name);
    }
    const key = JSON.stringify([scope, name, values]);
    return share({ key, send: () => run(text, values, name) }) as Promise<Row[]>;
  };
};
