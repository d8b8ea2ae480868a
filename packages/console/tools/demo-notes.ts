import { randomUUID } from 'node:crypto';
import type { Api } from '@commonplace/e2e';
import { must } from './must.ts';

type NoteText = {
  readonly title: string;
  readonly content: string;
  readonly folder: string;
  readonly tags: readonly string[];
  readonly pinned?: boolean;
};

const plain: readonly NoteText[] = [
  {
    title: 'Reading list',
    content:
      '- Kleppmann, *Designing data-intensive applications*\n- Gray & Reuter, *Transaction processing*\n',
    folder: 'research',
    tags: ['reading'],
  },
  {
    title: 'House rules for experiments',
    content: 'Write down what you expect **before** you measure. Keep raw data.\n',
    folder: '',
    tags: ['rules'],
    pinned: true,
  },
  {
    title: 'Weekly report 46',
    content:
      'Spending is within budget. Cy waits for parts; Fay has calibrated both robots ([[Robot calibration]]). [[Boiling points]] are measured twice.\n',
    folder: 'reports/2026',
    tags: ['weekly'],
  },
  {
    title: 'Robot calibration',
    content:
      'Arm A: 0.02 mm. Arm B: 0.05 mm, to be repeated on Monday, before the next [[Boiling points]].\n',
    folder: 'lab/robots',
    tags: ['lab', 'robots'],
  },
];

const boilingPoints = (changes: string, rows: string): NoteText => ({
  title: 'Boiling points',
  content: `Measured at sea level${changes}, by the [[House rules for experiments]]. Sources: [[Reading list]].\n\n| Substance | °C |\n| --- | ---: |\n| Water | 100.0 |\n| Ethanol | 78.4 |\n${rows}\n- [x] Calibrated\n- [ ] Repeat at altitude: [[Trip to the observatory]], [[Robot calibration]]\n\n\`\`\`ts\nconst kelvin = celsius + 273.15;\n\`\`\`\n`,
  folder: 'research/physics',
  tags: ['lab', 'physics'],
});

const schedule = (tuesday: string): NoteText => ({
  title: 'Schedule',
  content: `Monday: calibration of both arms\nTuesday: ${tuesday}\nWednesday: report\n`,
  folder: 'lab',
  tags: ['plan'],
});

type FilledNotes = {
  readonly noteId: string;
  readonly conflictId: string;
  readonly jobId: string;
};

/** Writes the demo notes: plain ones, one with a history, a conflict, a background job. */
export const fillNotes = async (agent: Api): Promise<FilledNotes> => {
  const write = (id: string, note: NoteText) => must(agent, `PUT /api/notes/${id}`, note);
  for (const note of plain) {
    await write(randomUUID(), note);
  }
  const noteId = randomUUID();
  await write(noteId, boilingPoints('', ''));
  await write(noteId, boilingPoints(', twice', '| Acetone | 56.1 |\n'));
  const jobId = await synchroniseInBackground(agent);
  return { noteId, conflictId: await makeConflict(agent), jobId };
};

const changesOfJob = 40;

const synchroniseInBackground = async (agent: Api): Promise<string> => {
  const changes = Array.from({ length: changesOfJob }, (_, index) => ({
    mutationId: randomUUID(),
    id: randomUUID(),
    op: 'put',
    note: {
      title: `Sample ${index + 1}`,
      content: `Mass ${(index * 7) % 13} g\n`,
      folder: 'lab/samples',
    },
  }));
  const body = { clientId: 'laptop', mode: 'background', changes };
  return String((await must(agent, 'POST /api/sync', body))['jobId']);
};

/** Creates a conflict on one line of a note; returns the id of the conflict copy. */
const makeConflict = async (agent: Api): Promise<string> => {
  const id = randomUUID();
  await must(agent, `PUT /api/notes/${id}`, schedule('run A'));
  await must(agent, `PUT /api/notes/${id}`, schedule('run B, with the new sensor'));
  const change = {
    mutationId: randomUUID(),
    id,
    op: 'put',
    baseRevision: 1,
    note: schedule('run A, twice'),
  };
  await must(agent, 'POST /api/sync', { clientId: 'laptop', changes: [change] });
  const { items } = (await must(agent, 'GET /api/notes?conflicts=only')) as {
    readonly items: readonly { readonly id: string; readonly conflictOf: string | null }[];
  };
  const copy = items.find(({ conflictOf }) => conflictOf === id);
  if (!copy) {
    throw new Error('The two versions of the schedule were merged: there is no conflict to show.');
  }
  return copy.id;
};
