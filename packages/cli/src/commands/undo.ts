import { setTimeout as sleep } from 'node:timers/promises';
import type { ApiClient, Schema } from '@commonplace/client';
import { defineCommand } from '../define-command.ts';
import { CommandFailure, UsageError } from '../errors.ts';
import { exitCodes } from '../exit-codes.ts';
import { companyFlag, instant, jsonFlag } from '../flags.ts';
import { nameAuthors } from '../notes/name-authors.ts';
import { openOperatorApi } from '../open-operator-api.ts';
import { paint, printJson, printNotice, printText } from '../print.ts';

const flags = {
  run: { type: 'string', value: '<id>', about: 'what was written with the tokens of a run' },
  key: { type: 'string', value: '<id>', about: 'what was written with an API key' },
  connection: { type: 'string', value: '<id>', about: 'what a connection of OAuth wrote' },
  agent: { type: 'string', value: '<id>', about: 'what an agent wrote since --since' },
  undo: { type: 'string', value: '<id>', about: 'what another undo wrote' },
  since: { type: 'string', value: '<time>', about: 'from then on: 2026-11-23T08:00:00Z' },
  until: { type: 'string', value: '<time>', about: 'only before then' },
  note: { type: 'string', value: '<id>', multiple: true, about: 'only in this note; may repeat' },
  'dry-run': { type: 'boolean', about: 'say what would change, and change nothing' },
  'keep-proposals': { type: 'boolean', about: 'leave its open proposals open' },
  'no-pause': { type: 'boolean', about: 'leave the agent as it is' },
  ...companyFlag,
  ...jsonFlag,
} as const;

/** `commonplace undo`: takes back what a run, a key, a connection or an agent wrote, as an operator. */
export const undo = defineCommand({
  name: 'undo',
  usage: '--run | --key | --connection | --agent | --undo <id>',
  about: `Takes back what a run, a key, a connection, an agent or another undo wrote; what
others wrote stays. Its open proposals are rejected. Needs an operator:
COMMONPLACE_SESSION, or a server in local mode.`,
  positionals: { min: 0, max: 0 },
  flags,
  run: async ({ values }) => {
    const { run, key, connection, agent, undo: other, note, company } = values;
    const since = instant('since', values.since);
    const until = instant('until', values.until);
    const source = {
      ...(run !== undefined && { runId: run }),
      ...(key !== undefined && { keyId: key }),
      ...(connection !== undefined && { connectionId: connection }),
      ...(agent !== undefined && { agentId: agent }),
      ...(other !== undefined && { undoId: other }),
    };
    if (Object.keys(source).length !== 1) {
      throw new UsageError(['name one of --run, --key, --connection, --agent and --undo']);
    }
    const api = openOperatorApi(company);
    const { data } = await api.post('/api/notes/undo', {
      body: {
        ...source,
        ...(since && { since }),
        ...(until && { until }),
        ...(note && { noteIds: note }),
        ...(values['dry-run'] && { dryRun: true }),
        ...(values['keep-proposals'] && { withdrawProposals: false }),
        ...(values['no-pause'] && { pause: false }),
      },
    });
    const ended = await untilFinished(api, data.id);
    const whole = { ...ended, notes: await readNotes(api, data.id) };
    if (values.json) {
      printJson(whole);
    } else {
      const authors = whole.notes.flatMap(({ base }) => base?.createdBy ?? []);
      describe(whole, await nameAuthors(api, authors)).forEach(printText);
    }
    if (whole.status === 'failed') {
      const { code = 'failed', detail = 'the undo failed' } = whole.error ?? {};
      throw new CommandFailure(detail, { exitCode: exitCodes.failed, code });
    }
    return 0;
  },
});

type Undo = Schema<'Undo'>;

const pollMs = 500;
/** Progress is reported this often, in polls. */
const reportEvery = 10;

const read = async (api: ApiClient, undoId: string, cursor: string | null): Promise<Undo> => {
  const query = { limit: 200, ...(cursor === null ? {} : { cursor }) };
  const params = { path: { undoId }, query };
  return (await api.get('/api/notes/undo/{undoId}', { params })).data;
};

const untilFinished = async (api: ApiClient, id: string): Promise<Undo> => {
  for (let polls = 1; ; polls += 1) {
    const undone = await read(api, id, null);
    if (undone.finishedAt !== null) {
      return undone;
    }
    if (polls % reportEvery === 0) {
      printNotice(`${undone.progress.done} of ${undone.progress.total} notes; undo ${id}`);
    }
    await sleep(pollMs);
  }
};

const readNotes = async (api: ApiClient, id: string): Promise<Undo['notes']> => {
  const notes: Undo['notes'] = [];
  let cursor: string | null = null;
  do {
    const page: Undo = await read(api, id, cursor);
    notes.push(...page.notes);
    cursor = page.nextCursor;
  } while (cursor !== null);
  return notes;
};

type NameOf = (author: Schema<'Author'>) => string;

const describe = (
  { id, dryRun, outcomes, withdrawnProposals, notes }: Undo,
  nameOf: NameOf,
): string[] => [
  ...notes.flatMap((note) => [
    `${note.outcome.padEnd(11)}  ${paint('bold', note.title === '' ? 'Untitled' : note.title)}  ${paint('dim', note.noteId)}`,
    ...baseLines(note, nameOf).map((line) => `             ${line}`),
    ...note.lines.map((line) => `             ${paint('red', 'stays:')} ${line}`),
  ]),
  `${dryRun ? 'dry run' : 'undo'} ${id}: ${counted(outcomes)}${withdrawn(withdrawnProposals)}`,
];

/** The version to which a note goes back, or of one that stays as it is the version before. */
const baseLines = ({ base, outcome }: Undo['notes'][number], nameOf: NameOf): string[] => {
  if (!base) {
    return [];
  }
  const { revision, createdAt, createdBy, othersSince } = base;
  const version = `revision ${revision} by ${nameOf(createdBy)}, ${createdAt.slice(0, 16).replace('T', ' ')}`;
  if (outcome === 'kept') {
    return [`before: ${version}`];
  }
  const since = `${othersSince} later ${othersSince === 1 ? 'version' : 'versions'} of others`;
  return [`back to ${version}${othersSince === 0 ? '' : `, with ${since}`}`];
};

const withdrawn = (count: number | undefined): string =>
  !count ? '' : `, ${count} ${count === 1 ? 'proposal' : 'proposals'} withdrawn`;

const counted = (outcomes: Undo['outcomes']): string => {
  const some = Object.entries(outcomes).filter(([, count]) => count > 0);
  return some.length === 0
    ? 'no notes'
    : some.map(([outcome, count]) => `${count} ${outcome}`).join(', ');
};
