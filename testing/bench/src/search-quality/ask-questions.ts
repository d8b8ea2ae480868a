import { bearer, type CompanyWorld } from '@commonplace/e2e';
import { retryingApi } from '../system/retrying-api.ts';
import type { Answered } from './question-rows.ts';
import { noteIdOf, questionNotes, type JudgedQuestion, type QuestionNote } from './question-set.ts';

type Api = ReturnType<typeof retryingApi>;

/** One way to search: returns what it found for a question. */
export type Ask = (question: JudgedQuestion) => Promise<Omit<Answered, 'question'>>;

type Passage = { readonly fromLine: number; readonly toLine: number };
type Items = { readonly items: readonly Item[] };
type Notes = { readonly notes: readonly Item[] };
type Item = { readonly id: string; readonly passages?: readonly Passage[] };

/** The ways to search the notes of a company that has them all, by name. */
export const waysToAsk = (url: string, company: CompanyWorld): Readonly<Record<string, Ask>> => {
  const api = retryingApi({ baseUrl: url, headers: bearer(company.key) });
  const notes = questionNotes();
  const nameOf = new Map(notes.map(({ id }) => [noteIdOf(id), id]));
  const contentOf = new Map(notes.map(({ id, content }) => [id, content]));
  const namesOf = (items: readonly Item[]) => items.map(({ id }) => nameOf.get(id) ?? id);
  const isLineShown = (question: JudgedQuestion, items: readonly Item[]): boolean =>
    items.slice(0, 5).some(({ id, passages = [] }) => {
      const line = lineOf(contentOf.get(nameOf.get(id) ?? '') ?? '', question.answer);
      return line !== null && passages.some((one) => one.fromLine <= line && line <= one.toLine);
    });
  const list =
    (match: string): Ask =>
    async (question) => {
      const q = encodeURIComponent(question.question);
      const body = (await get(api, `/api/notes?limit=10&match=${match}&q=${q}`)) as Items;
      const { items } = body;
      return {
        found: namesOf(items),
        bytes: sizeOf(body),
        isLineShown: isLineShown(question, items),
      };
    };
  return {
    'REST best': list('best'),
    'REST words': list('words'),
    context: async (question) => {
      const body = (await post(api, '/api/context', { query: question.question })) as Notes;
      return { found: namesOf(body.notes), bytes: sizeOf(body), isLineShown: null };
    },
    MCP: async (question) => {
      const text = await searchOverMcp(api, question.question);
      const ids = [...text.matchAll(/^([0-9a-f-]{36}) /gm)].map(([, id = '']) => id);
      return {
        found: ids.map((id) => nameOf.get(id) ?? id),
        bytes: sizeOf(text),
        isLineShown: null,
      };
    },
  };
};

/** Asks all questions in one way. */
export const askAll = async (
  questions: readonly JudgedQuestion[],
  ask: Ask,
): Promise<Answered[]> => {
  const answered: Answered[] = [];
  for (const question of questions) {
    answered.push({ question, ...(await ask(question)) });
  }
  return answered;
};

/** Stores the notes of the questions in a company. */
export const pushQuestionNotes = async (url: string, company: CompanyWorld): Promise<void> => {
  const api = retryingApi({ baseUrl: url, headers: bearer(company.key) });
  const changes = questionNotes().map((note) => ({
    mutationId: noteIdOf(`mutation ${note.id}`),
    id: noteIdOf(note.id),
    op: 'put',
    baseRevision: null,
    note: fieldsOf(note),
  }));
  await post(api, '/api/sync', { clientId: 'questions', cursor: null, limit: 1, changes });
};

const fieldsOf = ({ title, content, folder, tags }: QuestionNote) => ({
  title,
  content,
  folder,
  tags,
});

/** The line of a content that a text begins in, from 1; null means it is not in it. */
const lineOf = (content: string, text: string): number | null => {
  const at = content.indexOf(text);
  return at === -1 ? null : content.slice(0, at).split('\n').length;
};

const sizeOf = (body: unknown): number =>
  Buffer.byteLength(typeof body === 'string' ? body : JSON.stringify(body));

const get = async (api: Api, path: string): Promise<unknown> =>
  bodyOf(await api('GET', path), path);

const post = async (api: Api, path: string, body: object): Promise<unknown> =>
  bodyOf(await api('POST', path, { body }), path);

const bodyOf = ({ status, body }: { status: number; body: unknown }, path: string): unknown => {
  if (status !== 200) {
    throw new Error(`${path}: ${status}`);
  }
  return body;
};

type ToolResult = { readonly result: { readonly content: readonly { readonly text: string }[] } };

const searchOverMcp = async (api: Api, query: string): Promise<string> => {
  const { result } = (await post(api, '/mcp', {
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: { name: 'search_notes', arguments: { query } },
  })) as ToolResult;
  return result.content.map(({ text }) => text).join('\n');
};
