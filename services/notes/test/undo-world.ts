import { afterAll, beforeAll } from '@jest/globals';
import { newId, runId } from '@commonplace/contracts';
import type { Caller } from '@commonplace/identity';
import { agentCaller, grant, operatorCaller } from '@commonplace/testkit';
import { aCompany, createNotesWorld, type NotesWorld } from './notes-world.ts';
import { startWorkers } from './start-workers.ts';

/** Notes with workers, for the tests of one file. Returns what calls the API as a caller. */
export const undoWorld = (): NotesWorld['as'] => {
  let world: NotesWorld;
  let stopWorkers: () => Promise<void>;
  beforeAll(async () => {
    world = await createNotesWorld();
    stopWorkers = startWorkers(world);
  });
  afterAll(async () => {
    await stopWorkers();
    await world.close();
  });
  return (caller: Caller, instance?: number) => world.as(caller, instance);
};

/** A company with an agent whose run is undone, another writer, and an operator. */
export const aTeam = (company = aCompany()) => {
  const run = runId.parse(newId());
  const agent = agentCaller({ companyId: company, runId: run, keyId: null });
  const other = agentCaller({ companyId: company });
  const operator = operatorCaller({ companies: [grant(company, 'operator')] });
  return { company, run, agent, other, operator };
};
