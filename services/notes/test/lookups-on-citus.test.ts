import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { describeOnCitus } from '@commonplace/testkit/on-citus';
import pg from 'pg';
import { termPrefix } from '../src/search/text/search-document.ts';
import { aCompany, anAgent, createNotesWorld, type NotesWorld } from './notes-world.ts';
import { putOf, syncClient } from './sync-client.ts';

const company = aCompany();
const alpha = `$$'${termPrefix(company)}alpha'$$::tsquery`;

const lookups = [
  ['notes by word', `select * from notes.match_notes(${alpha}, 10)`],
  ['notes by tag', `select * from notes.match_tags(array['t'], 10)`],
  ['similar words', `select * from notes.similar_words('al', 'am', 'la', 'lb', 1, 9, 10)`],
  ['notes by title', `select * from notes.find_titles(array[''], array['alpha'], 10)`],
  ['notes for a context', `select * from notes.match_context(${alpha}, '{}', 1, 10, 5)`],
] as const;

describeOnCitus('a lookup in a company', () => {
  let world: NotesWorld;
  let service: pg.Client;
  beforeAll(async () => {
    world = await createNotesWorld();
    service = new pg.Client({ connectionString: world.database.appUrl('notes') });
    await service.connect();
    await syncClient(world, anAgent(company)).push(putOf({ title: 'alpha', tags: ['t'] }));
    await Promise.all(world.deps.map(({ search }) => search.indexPendingNotes(company)));
  });
  afterAll(async () => {
    await service.end();
    await world.close();
  });

  it.each(lookups)('reads one shard: %s', async (_what, statement) => {
    const commands: string[] = [];
    service.on('notice', ({ message = '' }) => commands.push(message));
    await service.query('begin');
    await service.query(`set local app.company_id = '${company}'`);
    await service.query('set local citus.log_remote_commands = on');
    const { rows } = await service.query(statement);
    await service.query('rollback');
    service.removeAllListeners('notice');
    const shards = commands.flatMap((text) => text.match(/\bnotes\.\w+_\d{6,}/g) ?? []);
    expect(rows.length).toBeGreaterThan(0);
    expect(new Set(shards).size).toBe(1);
  });
});
