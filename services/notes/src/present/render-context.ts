import type { Context } from '@commonplace/contracts/notes';

type ContextNote = Context['notes'][number];

/** Of an author's name; all of it is in the JSON. */
const nameCharactersMax = 60;

const headings = {
  pinned: 'Pinned notes',
  match: 'Notes that match',
  changed: 'Changed by others since the last context',
} as const;

/**
 * A context as Markdown for a model. Texts of notes are fenced, so that their headings stay theirs. `readWith`
 * says how to read a whole note.
 */
export const renderContext = (
  context: Context,
  readWith: (id: string) => string = (id) => `GET /api/notes/${id}`,
): string => {
  const { notes, omitted, moreOmitted, cursor } = context;
  const sections = Object.entries(headings).flatMap(([reason, heading]) => {
    const ofReason = notes.filter((note) => note.reason === reason);
    return ofReason.length === 0
      ? []
      : [`## ${heading}`, ...ofReason.map((note) => renderNote(note, readWith))];
  });
  const rest = moreOmitted === 0 ? [] : [more(moreOmitted)];
  const leftOut =
    omitted.length + moreOmitted === 0
      ? []
      : [leftOutHeading, [...omitted.map(renderOmitted), ...rest].join('\n')];
  return [
    ...renderAgent(context),
    ...renderProposals(context.proposals),
    ...(context.isComplete === false ? [incomplete] : []),
    ...sections,
    ...leftOut,
    `Cursor: ${cursor}`,
    '',
  ].join(joint);
};

/** The longest way to say how to read on. */
const longestReadWith = (id: string): string => `read_note with id ${id}`;

/** Between the parts of a context. */
const joint = '\n\n';

/** Measures the parts of a context as `renderContext` writes them. */
export const measureContext = (
  context: Pick<Context, 'agent' | 'cursor' | 'proposals' | 'isComplete'>,
) => {
  const empty = renderContext({ ...context, notes: [], omitted: [], moreOmitted: 0 });
  const marks = [
    ...Object.values(headings).map((heading) => `## ${heading}`),
    leftOutHeading,
    more(1_000),
  ];
  return {
    fixedBytes: Buffer.byteLength([empty, ...marks].join(joint)),
    noteBytes: (note: ContextNote) => Buffer.byteLength(renderNote(note, longestReadWith) + joint),
    omittedBytes: (note: Context['omitted'][number]) =>
      Buffer.byteLength(`${renderOmitted(note)}\n`),
  };
};

const incomplete = 'Matches may be missing: notes are still being indexed.';

const leftOutHeading = '## Left out for lack of room';

const more = (count: number): string => `- and ${count} more`;

const renderAgent = ({ agent }: Context): string[] => {
  if (agent === null) {
    return ['# Context'];
  }
  const { name, role, title, id, manager, budget } = agent;
  const post = title === '' ? role : `${title}, ${role}`;
  const reportsTo = manager
    ? `You report to **${oneLine(manager.name)}** (${oneLine(manager.role)}).`
    : 'You report to nobody.';
  return [
    '# Context',
    `You are **${oneLine(name)}** (${oneLine(post)}), agent ${id}. ${reportsTo} ${budgetOf(budget)}`,
  ];
};

const budgetOf = ({
  remainingCents,
  monthlyCents,
  remainingTokens,
  monthlyTokens,
  periodEnd,
}: NonNullable<Context['agent']>['budget']) => {
  const left = [
    ...(remainingCents === null ? [] : [`${remainingCents} of ${monthlyCents} cents`]),
    ...(remainingTokens === null ? [] : [`${remainingTokens} of ${monthlyTokens} tokens`]),
  ];
  return left.length === 0
    ? 'Your budget is not limited.'
    : `Budget left until ${periodEnd}: ${left.join(', ')}.`;
};

/** Of a title and a reason; all of them is in the JSON. */
const proposalCharactersMax = 120;

/** What became of the proposals of the agent: the note says nothing of those that were rejected. */
const renderProposals = (proposals: Context['proposals']): string[] => {
  if (!proposals) {
    return [];
  }
  const { open, ended } = proposals;
  const lines = ended.map(({ id, title, state, decidedBy, reason, revision }) => {
    const by = decidedBy ? ` by ${short(decidedBy.name ?? decidedBy.kind)}` : '';
    const became = revision === null ? '' : ` as revision ${revision}`;
    const why = reason === null ? '' : `: ${short(reason)}`;
    return `- ${short(title) || 'Untitled'} (proposal ${id}) was ${state}${by}${became}${why}`;
  });
  const undecided = open === 0 ? [] : [`- ${open} not decided yet`];
  return ['## Your proposals', [...lines, ...undecided].join('\n')];
};

const short = (text: string): string =>
  oneLine(text).slice(0, proposalCharactersMax).toWellFormed();

const renderNote = (note: ContextNote, readWith: (id: string) => string): string => {
  const { id, revision, title, folder, author, updatedAt, deleted, size, text, truncated } = note;
  const by =
    author.name === null
      ? `${author.kind} ${author.id}`
      : oneLine(author.name).slice(0, nameCharactersMax).toWellFormed();
  const place = folder === '' ? '' : ` · folder ${oneLine(folder)}`;
  const facts = `${id} · revision ${revision} · ${by} · ${updatedAt}${place}`;
  const heading = `### ${oneLine(title) || 'Untitled'}\n${facts}`;
  if (deleted) {
    return `${heading}\n\nDeleted.`;
  }
  const cut = truncated
    ? `\n(the first ${Buffer.byteLength(text)} of ${size} bytes; read the rest with ${readWith(id)})`
    : '';
  if (note.passages) {
    return `${heading}\n\n${renderPassages(note.passages)}\n(passages of ${size} bytes; read the rest with ${readWith(id)})`;
  }
  const fence = fenceFor(text);
  return `${heading}\n\n${fence}\n${text.replace(/\n$/, '')}\n${fence}${cut}`;
};

const renderPassages = (passages: NonNullable<ContextNote['passages']>): string =>
  passages
    .map(({ text, fromLine, toLine, headings }) => {
      const fence = fenceFor(text);
      const under = headings.length === 0 ? '' : `: ${oneLine(headings.join(' > '))}`;
      return `lines ${fromLine}-${toLine}${under}\n${fence}\n${text}\n${fence}`;
    })
    .join('\n');

const renderOmitted = ({ id, title, reason }: Context['omitted'][number]): string =>
  `- ${oneLine(title) || 'Untitled'} (${id}, ${reason})`;

/** A fence longer than any run of backticks in the text. */
const fenceFor = (text: string): string => {
  const runs = text.match(/`{3,}/g) ?? [];
  return '`'.repeat(Math.max(2, ...runs.map(({ length }) => length)) + 1);
};

const oneLine = (text: string): string => text.replace(/\s+/gu, ' ').trim();
