import { defineCommand } from '../define-command.ts';
import { jsonFlag, wholeNumber } from '../flags.ts';
import { folderName } from '../notes/folder-name.ts';
import { openApi } from '../open-api.ts';
import { printContent, printJson, printNotice } from '../print.ts';

/** `commonplace context`: what an agent should know before it starts, as Markdown. */
export const context = defineCommand({
  name: 'context',
  usage: '[options]',
  about: `Prints what an agent should know before it starts, as Markdown: who it is, its budget, pinned notes,
notes that match a query, and what others changed. The position for --since is printed at the end,
on standard error.`,
  positionals: { min: 0, max: 0 },
  flags: {
    query: { type: 'string', short: 'q', value: '<text>', about: 'what the agent is about to do' },
    since: { type: 'string', value: '<cursor>', about: 'also what has changed since that context' },
    'max-bytes': { type: 'string', value: '<n>', about: '4096-262144; default 32768' },
    folder: { type: 'string', multiple: true, value: '<folder>', about: 'only there; may repeat' },
    tag: { type: 'string', multiple: true, value: '<tag>', about: 'with this tag; may repeat' },
    ...jsonFlag,
  },
  run: async ({ values }) => {
    const maxBytes = wholeNumber('max-bytes', values['max-bytes'], { min: 4_096, max: 262_144 });
    const body = {
      ...(values.query !== undefined && { query: values.query }),
      ...(values.since !== undefined && { since: values.since }),
      ...(maxBytes !== undefined && { maxBytes }),
      ...(values.folder && { folders: values.folder.map(folderName) }),
      ...(values.tag && { tags: values.tag }),
    };
    const api = openApi();
    if (values.json) {
      printJson((await api.post('/api/context', { body })).data);
      return 0;
    }
    const headers = { Accept: 'text/markdown' };
    const { data, response } = await api.post('/api/context', { body, headers, parseAs: 'text' });
    printContent(data);
    printNotice(`--since ${response.headers.get('x-context-cursor') ?? ''}`);
    return 0;
  },
});
