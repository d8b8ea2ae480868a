import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';

const pauseMs = 100;

type AwaitedRow = {
  /** A statement that finds one row of the company $1 once it is so. */
  readonly statement: string;
  readonly companyId: string;
  readonly secondsMax: number;
  /** What the error says after that time. */
  readonly failure: string;
};

/** Waits for what the product does in the background. */
export const untilRow = async (
  client: pg.Client,
  { statement, companyId, secondsMax, failure }: AwaitedRow,
): Promise<void> => {
  for (let waitedMs = 0; ; waitedMs += pauseMs) {
    const { rowCount } = await client.query(statement, [companyId]);
    if (rowCount === 1) {
      return;
    }
    if (waitedMs >= secondsMax * 1_000) {
      throw new Error(failure);
    }
    await sleep(pauseMs);
  }
};
