import { bearer, createApi, type Api } from '@commonplace/e2e';
import { must } from './must.ts';

type Proposer = {
  readonly baseUrl: string;
  readonly board: Api;
  /** The path of the agent that proposes. */
  readonly agent: string;
};

type Listed = { readonly items: readonly { readonly id: string; readonly title: string }[] };

type Proposed = { readonly proposal: { readonly id: string } };

const report = `Spending is within budget. Cy waits for parts until Friday; Fay has calibrated both robots ([[Robot calibration]]). [[Boiling points]] are measured three times.
`;

/** Lets an agent propose: changes of notes in a run, a new note, and one that overlaps with what others wrote. */
export const fillProposals = async (
  byKey: Api,
  { baseUrl, board, agent }: Proposer,
): Promise<{ readonly overlapId: string; readonly newNoteId: string }> => {
  const { items } = (await must(byKey, 'GET /api/notes?limit=200')) as unknown as Listed;
  const idOf = (wanted: string) => items.find(({ title }) => title === wanted)?.id ?? '';
  const byToken = await startProposing({ baseUrl, board, agent });
  const rules = idOf('House rules for experiments');
  const { proposal } = (await must(byToken, `PATCH /api/notes/${rules}`, {
    edits: [{ op: 'replace', find: 'Keep raw data.', with: 'Keep raw data for ten years.' }],
    reason: 'The funder wants ten years since October.',
  })) as Proposed;
  await must(board, `PATCH /api/notes/${rules}`, {
    edits: [{ op: 'replace', find: 'Keep raw data.', with: 'Keep raw data, and say where.' }],
  });
  const { proposal: newNote } = (await must(byToken, 'POST /api/notes', {
    title: 'Trip to the observatory',
    folder: 'research/physics',
    tags: ['lab'],
    content:
      '# Trip to the observatory\n\nBoiling points at 2,400 m, on the first clear day.\n\n- [ ] Take the portable arm of Fay\n- [ ] Book the cable car\n',
    reason: 'Boiling points links to it, and there is none.',
  })) as Proposed;
  await must(byToken, `PATCH /api/notes/${idOf('Robot calibration')}`, {
    edits: [
      { op: 'replace', find: 'to be repeated on Monday', with: 'repeated on Monday: 0.03 mm' },
      { op: 'set', tags: { add: ['calibrated'] } },
    ],
    reason: 'Measured again this morning.',
  });
  const weekly = idOf('Weekly report 46');
  await must(byToken, `PATCH /api/notes/${weekly}`, {
    edits: [{ op: 'set', folder: 'reports/2026/november' }],
  });
  await must(byToken, `PUT /api/notes/${weekly}`, {
    title: 'Weekly report 46',
    folder: 'reports/2026/november',
    tags: ['weekly', 'sent'],
    content: report,
    reason: 'Cy wrote that the parts come on Friday, and the measurements were repeated.',
  });
  return { overlapId: proposal.id, newNoteId: newNote.id };
};

/** Limits the agent to proposals; returns the API with the token of a run. */
const startProposing = async ({ baseUrl, board, agent }: Proposer): Promise<Api> => {
  const grants = [{ folder: '', scope: 'any', mode: 'propose' }];
  await must(board, `PATCH ${agent}`, { grants });
  const { key } = await must(board, `POST ${agent}/keys`, { name: 'editor' });
  const byKey = createApi({ baseUrl, headers: bearer(String(key)) });
  const run = { reserveCents: 100, ttlSeconds: 3600 };
  const { token } = await must(byKey, `POST ${agent}/runs`, run);
  return createApi({ baseUrl, headers: bearer(String(token)) });
};
