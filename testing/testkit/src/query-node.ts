import pg from 'pg';
import type { LocalNode } from './local-node.ts';

/** Runs a statement as the superuser and returns the first column of its rows. */
export const queryNode = async (node: Pick<LocalNode, 'url'>, text: string): Promise<unknown[]> => {
  const client = new pg.Client({ connectionString: node.url('postgres') });
  client.on('error', () => undefined);
  await client.connect();
  try {
    const { rows } = await client.query<unknown[]>({ text, rowMode: 'array' });
    return rows.map(([first]) => first);
  } finally {
    await client.end();
  }
};
