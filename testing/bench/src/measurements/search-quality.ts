import { bearer, type CompanyWorld } from '@commonplace/e2e';
import type { BenchProfile, Measurement, Row } from '../measurement.ts';
import { askAll, pushQuestionNotes, waysToAsk } from '../search-quality/ask-questions.ts';
import { corpusNotes, corpusQueries, type CorpusQuery } from '../search-quality/corpus.ts';
import { questionRows } from '../search-quality/question-rows.ts';
import { judgedQuestions, questionNotes } from '../search-quality/question-set.ts';
import { textbookBm25 } from '../search-quality/textbook-bm25.ts';
import { retryingApi } from '../system/retrying-api.ts';
import { untilIndexed } from '../system/until-indexed.ts';

const batchNotes = 500;
const mrrDepth = 10;
const recallDepth = 20;

/** One query with the ids it found, best first. */
type Searched = CorpusQuery & { readonly foundIds: readonly string[] };

/**
 * How well the search finds: mean reciprocal rank of the first relevant note within ten results, and recall
 * within twenty, over labelled queries in eight languages; and natural questions over notes of agents.
 */
export const searchQuality: Measurement = {
  name: 'search-quality',
  measure: async ({ product, environment, profile }) => {
    const company = await environment.makeCompany('Search quality');
    const api = retryingApi({ baseUrl: product.url, headers: bearer(company.key) });
    await push(api);
    await untilIndexed(product.databaseUrl, company.companyId);
    const searched: Searched[] = [];
    for (const query of corpusQueries()) {
      searched.push({ ...query, foundIds: await search(api, query) });
    }
    const all = [{ group: 'all', of: searched }];
    const groups = [...all, ...groupsBy(searched, 'language'), ...groupsBy(searched, 'kind')];
    const asked = await environment.makeCompany('Questions');
    await pushQuestionNotes(product.url, asked);
    await untilIndexed(product.databaseUrl, asked.companyId);
    return [...groups.flatMap(rowsOf), ...(await questions(product.url, asked, profile))];
  },
};

/** Natural questions, in every way to ask them, compared with BM25 as textbooks have it. */
const questions = async (
  url: string,
  company: CompanyWorld,
  { questionsFile }: Pick<BenchProfile, 'questionsFile'>,
): Promise<Row[]> => {
  const judged = judgedQuestions(questionsFile);
  const textbook = textbookBm25(questionNotes());
  const reference = judged.map((question) => ({
    question,
    found: textbook(question.question),
    bytes: 0,
    isLineShown: null,
  }));
  const rows: Row[] = questionRows('textbook BM25', reference, reference).filter(
    ({ name }) => !name.startsWith('bytes'),
  );
  for (const [way, ask] of Object.entries(waysToAsk(url, company))) {
    rows.push(...questionRows(way, await askAll(judged, ask), reference));
  }
  return rows;
};

type Api = ReturnType<typeof retryingApi>;

const push = async (api: Api): Promise<void> => {
  const notes = corpusNotes();
  for (let from = 0; from < notes.length; from += batchNotes) {
    const changes = notes.slice(from, from + batchNotes).map(({ id, ...note }) => ({
      mutationId: id,
      id,
      op: 'put',
      baseRevision: null,
      note,
    }));
    const body = { clientId: 'search-quality', cursor: null, limit: 1, changes };
    const response = await api('POST', '/api/sync', { body });
    if (response.status !== 200) {
      throw new Error(`The corpus was not stored: ${response.status}`);
    }
  }
};

const search = async (api: Api, { kind, q }: CorpusQuery): Promise<string[]> => {
  const match = kind === 'prefix' ? '&match=prefix' : '';
  const path = `/api/notes?limit=${recallDepth}&q=${encodeURIComponent(q)}`;
  const response = await api('GET', `${path}${match}`);
  if (response.status !== 200) {
    throw new Error(`The search for ${q} failed: ${response.status}`);
  }
  return (response.body as { items: { id: string }[] }).items.map(({ id }) => id);
};

type Group = { readonly group: string; readonly of: readonly Searched[] };

const groupsBy = (searched: readonly Searched[], field: 'language' | 'kind'): Group[] =>
  [...Map.groupBy(searched, (query) => query[field])].map(([group, of]) => ({ group, of }));

const rowsOf = ({ group, of }: Group): Row[] => {
  const row = (name: string, values: readonly number[], bound: number): Row => ({
    name: `${name}, ${group} (${of.length} queries)`,
    unit: '',
    value: mean(values),
    baseline: null,
    target: { of: 'value', is: 'at least', bound },
  });
  return [
    row(`MRR@${mrrDepth}`, of.map(reciprocalRank), 0.8),
    row(`recall@${recallDepth}`, of.map(recall), 0.9),
  ];
};

const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length;

const reciprocalRank = ({ foundIds, relevantIds }: Searched): number => {
  const first = foundIds.slice(0, mrrDepth).findIndex((id) => relevantIds.includes(id));
  return first === -1 ? 0 : 1 / (first + 1);
};

const recall = ({ foundIds, relevantIds }: Searched): number =>
  relevantIds.filter((id) => foundIds.slice(0, recallDepth).includes(id)).length /
  relevantIds.length;
