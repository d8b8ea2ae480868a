import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { call, isUnavailable, type ApiResponse, type Caller } from './api-call.ts';
import { openFolder, type CheckedCompany, type CheckedEnvironment } from './environment.ts';
import type { Expectations } from './expectations.ts';
import type { History } from './history.ts';
import { createPuller, pullAll, pullPage, type Puller } from './pull.ts';
import type { Random } from './random.ts';
import { verifyReplica } from './verify.ts';

const shutFolder = 'shut';
const notesMoved = 6;
/** Full pulls that went on beside moves, and are verified at the end. */
const joinersKept = 4;

/** Texts of versions in the other folder. Nothing that a narrow reader receives may have one. */
const hidden = /shut-[0-9a-f-]{36}/;

/** A writer that moves notes between the folders, and readers that reach one of them. */
export type NarrowReaders = {
  /** One move, and one read in each of the ways. */
  readonly step: () => Promise<void>;
  /** Compares what the readers hold with what is stored. */
  readonly verify: (environment: CheckedEnvironment) => Promise<void>;
};

type Options = {
  readonly name: string;
  readonly company: CheckedCompany;
  readonly random: Random;
  readonly history: History;
  readonly expectations: Expectations;
};

/** Creates the readers, with notes of their own. Other clients change these too, and each move replaces them. */
export const createNarrowReaders = (options: Options): NarrowReaders => {
  const { name, company, history, expectations } = options;
  const random = options.random.fork(`${name}/narrow readers`);
  const narrow = watched(company.narrow, history);
  const newPuller = (actor: string, limit: number): Puller => ({
    ...createPuller({ actor: `${name}/${actor}`, company, history, limit }),
    caller: narrow,
  });
  const reader = newPuller('narrow reader', 3);
  const joiners: Puller[] = [];
  let joined = 0;
  const ids = Array.from({ length: notesMoved }, () => randomUUID());
  const read = async (): Promise<void> => {
    await pullPage(reader);
    joiners.push(newPuller(`narrow joiner ${(joined += 1)}`, 2));
    joiners.splice(0, joiners.length - joinersKept);
    await Promise.all(joiners.map(pullPage));
    const id = random.pick(ids);
    for (const path of readsOf(id)) {
      await call(narrow, { method: 'GET', path });
    }
    history.count('reads of part of the notes');
  };
  return {
    step: async () => {
      const moving = { id: random.pick(ids), random, expectations };
      await Promise.all([move(company, moving), read()]);
    },
    verify: async (environment) => {
      const last = newPuller('new narrow client', 100);
      const pullers = [reader, last, ...joiners];
      for (const puller of pullers) {
        await pullAll(puller);
      }
      const rows = await environment.sql(
        `select id, revision, content from notes.notes
         where company_id = $1 and deleted_at is null and (folder = $2 or folder ^@ ($2 || '/'))`,
        [company.companyId, openFolder],
      );
      const server = new Map(rows.map((row) => [String(row['id']), row]));
      for (const puller of pullers) {
        verifyReplica(puller, server, {
          history,
          invariant: 'a narrow reader has what it reaches',
        });
      }
    },
  };
};

/** What a reader requests besides pulling. */
const readsOf = (id: string): readonly string[] => [
  '/api/notes?limit=50&view=full&deleted=include',
  '/api/notes?q=shut&match=prefix',
  '/api/notes/folders',
  '/api/notes/activity?limit=50',
  `/api/notes/${id}`,
  `/api/notes/${id}/revisions`,
  `/api/notes/${id}/revisions/1`,
  `/api/notes/${id}/blame`,
];

type Moving = Pick<Options, 'random' | 'expectations'> & { readonly id: string };

/**
 * Puts a note with a text of its own into one of the folders, until that is acknowledged. Each attempt has a token of its own:
 * one without a response may have been applied, and the next one then replaces what others wrote since.
 */
const move = async (company: Caller, { id, random, expectations }: Moving): Promise<void> => {
  const folder = random.pick([openFolder, shutFolder]);
  const text = `${folder}-${randomUUID()}`;
  let response: ApiResponse = null;
  while (isUnavailable(response)) {
    const token = expectations.newToken();
    expectations.recordReplacement(token);
    const body = { title: text, folder, content: `${text}\n${token}\n` };
    response = await call(company, { method: 'PUT', path: `/api/notes/${id}`, body });
    if (isUnavailable(response)) {
      await sleep(50);
    }
  }
};

/** A caller of whom every response is searched for what it must not see. */
const watched = (caller: Caller, history: History): Caller => ({
  ...caller,
  onResponse: ({ method, path }, text) => {
    const found = hidden.exec(text);
    if (found) {
      history.violate('never a byte from outside the grants', `${method} ${path}: ${found[0]}`);
    }
  },
});
