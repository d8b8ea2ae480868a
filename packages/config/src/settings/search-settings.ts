import { z } from 'zod';
import { httpUrl, wholeNumber } from '../fields.ts';
import type { SettingRow } from './setting.ts';

const endpoint = httpUrl.refine((text) => {
  const url = URL.parse(text);
  return url !== null && url.username === '' && url.password === '' && url.hash === '';
}, 'must be an http:// or https:// URL without a user name, a password and a fragment');

const bearerKey = z
  .string()
  .max(4096)
  .regex(/^[\x21-\x7e]+$/, 'must have only printable ASCII characters, without spaces');

const prefix = z.string().max(200);

/** The service that notes are embedded by; without a URL there is none. */
export const searchSettings = [
  {
    about:
      'search by meaning, off without a URL: the full URL of an OpenAI-compatible service (`…/v1/embeddings`), its model, and the length of its vectors (2-4096). Nothing is sent before an owner of a company switches it on ([ADR 0046](adr/0046-search-by-meaning.md)). What is sent, and the way out in docker-compose: [operations](operations.md#search-by-meaning)',
    settings: {
      EMBEDDINGS_URL: {
        comment:
          'Search by meaning: an OpenAI-compatible service for embeddings, such as http://ollama:11434/v1/embeddings, the name of its model and the length of its vectors. Nothing is sent to it before an owner of a company switches it on.',
        field: endpoint,
        readBy: ['notes'],
      },
      EMBEDDINGS_MODEL: { field: z.string().min(1).max(200), readBy: ['notes'] },
      EMBEDDINGS_DIMENSIONS: { field: wholeNumber(2, 4096), readBy: ['notes'] },
    },
  },
  {
    about: 'the bearer key of that service',
    settings: {
      EMBEDDINGS_API_KEY: { field: bearerKey, isSecret: true, readBy: ['notes'] },
    },
  },
  {
    about:
      'texts in front of each query and each passage, if the model expects them (`"query: "`). Another model, length or passage prefix embeds all notes again in the background',
    settings: {
      EMBEDDINGS_QUERY_PREFIX: {
        comment: 'Texts that the model expects in front of queries and of passages.',
        field: prefix,
        default: '',
        readBy: ['notes'],
      },
      EMBEDDINGS_PASSAGE_PREFIX: { field: prefix, default: '', readBy: ['notes'] },
    },
  },
] as const satisfies readonly SettingRow[];
