import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { bearer, createApi, type Api, type ApiOptions } from '../call-api.ts';
import { setUpCompany } from './set-up-company.ts';
import { field, stepper, type Fields, type Stepper } from './step.ts';

export type DemoOptions = {
  readonly baseUrl: string;
  /** Headers of the operator: none in local trusted mode, cookie and origin otherwise. */
  readonly operatorHeaders: Readonly<Record<string, string>>;
  /** Called with every step and its result. */
  readonly print: (line: string) => void;
  readonly inspect?: NonNullable<ApiOptions['inspect']>;
};

const writeAndSync = async (step: Stepper, agent: Api, noteId: string): Promise<void> => {
  const path = `/api/notes/${noteId}`;
  await step('write a note', 201, {
    api: agent,
    method: 'PUT',
    path,
    body: {
      title: 'Findings',
      content: '# Findings\n\nWater boils at 100 degrees.\n',
      tags: ['physics'],
    },
  });
  await step('read it back', 200, { api: agent, method: 'GET', path });
  await step('list the notes', 200, { api: agent, method: 'GET', path: '/api/notes' });
  const pushed = await step('synchronise an edit', 200, {
    api: agent,
    method: 'POST',
    path: '/api/sync',
    body: {
      clientId: 'demo',
      cursor: null,
      changes: [
        {
          mutationId: randomUUID(),
          id: noteId,
          op: 'put',
          baseRevision: 1,
          note: {
            title: 'Findings',
            content: '# Findings\n\nWater boils at 100 °C.\n',
            tags: ['physics'],
          },
        },
      ],
    },
  });
  await step('synchronise again: nothing new', 200, {
    api: agent,
    method: 'POST',
    path: '/api/sync',
    body: { cursor: field(pushed.body, 'cursor') },
  });
  await step('read its history', 200, { api: agent, method: 'GET', path: `${path}/revisions` });
};

const runOnce = async (
  step: Stepper,
  agentId: string,
  apis: { byKey: Api; byToken: (token: string) => Api },
) => {
  const started = await step('start a run', 201, {
    api: apis.byKey,
    method: 'POST',
    path: `/api/agents/${agentId}/runs`,
    body: { reserveCents: 500 },
  });
  const { run, token } = started.body as { run: Fields; token: string };
  const byRun = apis.byToken(token);
  await step('who am I, by the run JWT', 200, {
    api: byRun,
    method: 'GET',
    path: '/api/agents/me',
  });
  await step('write a note by the run JWT', 201, {
    api: byRun,
    method: 'PUT',
    path: `/api/notes/${randomUUID()}`,
    body: { title: 'Written during a run' },
  });
  await step('finish the run', 200, {
    api: byRun,
    method: 'POST',
    path: `/api/runs/${String(run['id'])}/finish`,
    body: { status: 'succeeded', costCents: 320 },
  });
  // A finished run's token is rejected by every replica within a second.
  await sleep(1_100);
  await step('the run JWT died with its run', 401, {
    api: byRun,
    method: 'GET',
    path: '/api/agents/me',
  });
};

/** The README's tour through the gateway. Throws at the first unexpected response. */
export const runDemo = async (options: DemoOptions): Promise<void> => {
  const { baseUrl, operatorHeaders, print, inspect } = options;
  const apiOf = (headers: Readonly<Record<string, string>>) =>
    createApi({ baseUrl, headers, ...(inspect ? { inspect } : {}) });
  const step = stepper(print);
  const operator = apiOf(operatorHeaders);
  const session = await step('who am I, as the operator', 200, {
    api: operator,
    method: 'GET',
    path: '/api/auth/session',
  });
  print(`     mode: ${field(session.body, 'mode')}`);

  const first = await setUpCompany(step, operator, 'Aurora Labs');
  const agent = apiOf(bearer(first.key));
  await step('who am I, by the API key', 200, {
    api: agent,
    method: 'GET',
    path: '/api/agents/me',
  });
  const noteId = randomUUID();
  await writeAndSync(step, agent, noteId);
  await runOnce(step, first.agentId, { byKey: agent, byToken: (token) => apiOf(bearer(token)) });

  const second = await setUpCompany(step, operator, 'Borealis Works');
  const outsider = apiOf(bearer(second.key));
  await step('another company requests the note', 403, {
    api: outsider,
    method: 'GET',
    path: `/api/notes/${noteId}`,
  });
  await step('and for the agent', 403, {
    api: outsider,
    method: 'GET',
    path: `/api/agents/${first.agentId}`,
  });
  await step('a wrong bearer is never anonymous', 401, {
    api: apiOf(bearer('nonsense')),
    method: 'GET',
    path: '/api/notes',
  });
};
