import { beforeAll, describe, expect, it } from '@jest/globals';
import { bearer, createApi, inviteMember, type Api } from '@commonplace/e2e';
import type { Page } from 'playwright-core';
import { must } from '../tools/must.ts';
import { openPage } from '../tools/wait-until-idle.ts';
import { acmeConsole } from './support/acme-console.ts';
import { expectNoAxeViolations } from './support/axe.ts';
import { withoutPolling } from './support/without-polling.ts';
import { emailOf } from './support/start-console.ts';

const { at, board, enter, baseUrl } = acmeConsole();

type Id = { readonly id: string };

const hire = async (name: string): Promise<string> =>
  String((await must(board, `POST /api${at('/agents')}`, { name, role: 'writer' }))['id']);

const begin = async (agentId: string) => {
  const { run, token } = await must(board, `POST /api/agents/${agentId}/runs`, {});
  return {
    runId: (run as Id).id,
    self: createApi({ baseUrl: baseUrl(), headers: bearer(String(token)) }),
  };
};

/** An agent with a run that wrote two notes and goes on. */
const makeWriter = async (name: string) => {
  const agentId = await hire(name);
  const { runId, self } = await begin(agentId);
  for (const title of ['One', 'Two']) {
    await must(self, 'POST /api/notes', { title: `${title} by ${name}`, content: 'Text\n' });
  }
  return { agentId, runId, id8: runId.slice(-8), self };
};

const statusOf = async (agentId: string) =>
  (await must(board, `GET /api/agents/${agentId}`))['status'];

const typeInPalette = async (page: Page, text: string): Promise<void> => {
  await page.keyboard.press('Control+K');
  await page.getByRole('combobox', { name: 'Notes, agents, pages and actions' }).fill(text);
};

describe('an agent is paused where one looks', () => {
  type Paused = Awaited<ReturnType<typeof makeWriter>> & { readonly name: string };

  type Place = readonly [
    string,
    (page: Page, paused: Paused) => Promise<void>,
    /** What has the focus afterwards, where a button was pressed, says this: '' for anything on the page. */
    ((paused: Paused) => string) | null,
  ];
  const places: readonly Place[] = [
    [
      'on the list of runs',
      async (page, { name }) => {
        await openPage(page, at('/runs'));
        await page.getByRole('button', { name: `Pause ${name}` }).press('Enter');
      },
      ({ id8 }) => id8,
    ],
    [
      'on the page of a run',
      async (page, { runId }) => {
        await openPage(page, at(`/runs/${runId}`));
        await expectNoAxeViolations(page);
        await page.getByRole('button', { name: 'Pause agent' }).press('Enter');
      },
      () => 'All runs',
    ],
    [
      'on the dashboard, where it runs',
      async (page, { name }) => {
        await openPage(page, at(''));
        const running = page
          .locator('.panel')
          .filter({ has: page.getByRole('heading', { name: 'Running now' }) });
        await running.getByRole('button', { name: `Pause ${name}` }).press('Enter');
      },
      // Its row is gone.
      () => '',
    ],
    [
      'on the page of the agent',
      async (page, { agentId }) => {
        await openPage(page, at(`/agents/${agentId}`));
        await page.getByRole('button', { name: 'Pause', exact: true }).press('Enter');
      },
      () => 'Resume',
    ],
    [
      'in the quick search',
      async (page, { name }) => {
        await openPage(page, at('/notes'));
        await typeInPalette(page, `pause ${name}`);
        await page.getByRole('option', { name: `Pause ${name}`, exact: true }).click();
      },
      null,
    ],
  ];

  it.each(places)(
    '%s, which says what was cancelled and which notes that had changed, and keeps the place of the focus',
    async (place, pause, focused) => {
      const name = `Nia ${String(places.findIndex(([each]) => each === place))}`;
      const writer = await makeWriter(name);
      const { agentId, runId, id8 } = writer;
      const page = await enter();
      await pause(page, { name, ...writer });
      await page
        .getByRole('dialog', { name: `Pause ${name}?` })
        .getByRole('button', { name: 'Pause and cancel 1 run' })
        .click();
      const message = page
        .getByRole('alert')
        .filter({ hasText: `${name} paused, 1 run cancelled.` });
      // Under the pointer it does not close by itself.
      await message.hover();
      await message.getByText('2 notes changed in this run').waitFor();
      expect(await statusOf(agentId)).toBe('paused');
      await page.getByRole('button', { name: `Pause ${name}` }).waitFor({ state: 'detached' });
      if (focused) {
        await page.waitForFunction(
          (wanted) => {
            const { activeElement: element, body } = document;
            const place = element?.closest('tr') ?? element;
            return (
              element !== body && place?.closest('#main') && place.textContent.includes(wanted)
            );
          },
          focused({ name, ...writer }),
        );
      }
      await message.getByRole('link', { name: `Review run ${id8}` }).waitFor();
      await message.getByRole('link', { name: `Undo… run ${id8}` }).click();
      const dialog = page.getByRole('dialog', {
        name: /^(Stop and undo|Undo) what this run wrote$/,
      });
      await dialog.getByRole('button', { name: 'Show the notes' }).click();
      await dialog.getByText(`One by ${name}`).waitFor();
      expect(new URL(page.url()).pathname).toBe(at(`/runs/${runId}`));
    },
  );

  it('among the latest failures, though nothing runs', async () => {
    const agentId = await hire('Fay');
    const { runId, self } = await begin(agentId);
    await must(self, `POST /api/runs/${runId}/finish`, {
      status: 'failed',
      reason: 'out of ideas',
    });
    const page = await enter();
    await openPage(page, at(''));
    await expectNoAxeViolations(page);
    await page.getByRole('button', { name: 'Pause Fay' }).click();
    await page.getByText('Fay paused.', { exact: true }).waitFor();
    expect(await statusOf(agentId)).toBe('paused');
    await page.getByRole('button', { name: 'Pause Fay' }).waitFor({ state: 'detached' });
    await page.getByText('out of ideas').first().waitFor();
  });
});

describe('what a colleague has done before', () => {
  let colleague: Api;
  beforeAll(async () => {
    const companyId = at('').split('/').at(-1) ?? '';
    const headers = await inviteMember(
      board,
      { companyId },
      { baseUrl: baseUrl(), email: emailOf('cleo'), role: 'operator' },
    );
    colleague = createApi({ baseUrl: baseUrl(), headers });
  });

  it('is said in place of a pause that changes nothing, with who paused the agent', async () => {
    const { agentId, runId } = await makeWriter('Pam');
    const page = await enter();
    // The page would find out by itself.
    await withoutPolling(page);
    for (const [where, button] of [
      ['/runs', 'Pause Pam'],
      [`/runs/${runId}`, 'Pause agent'],
    ] as const) {
      await must(board, `POST /api/agents/${agentId}/resume`);
      await openPage(page, at(where));
      await page.getByRole('button', { name: button }).waitFor();
      await must(colleague, `POST /api/agents/${agentId}/pause`);
      await page.getByRole('button', { name: button }).click();
      await page
        .getByRole('alert')
        .getByText(
          /^Pam was paused already, by A operator \(unverified\) (just now|\d+ seconds? ago)\.$/,
        )
        .waitFor();
    }
    const log = (
      await must(board, `GET /api${at('/activity')}?action=agent.paused&entityId=${agentId}`)
    )['items'];
    expect(log).toHaveLength(2);
  });

  it('is said in place of a resumption that changes nothing', async () => {
    const agentId = await hire('Rex');
    await must(board, `POST /api/agents/${agentId}/pause`);
    const page = await enter();
    await withoutPolling(page);
    await openPage(page, at('/notes'));
    await typeInPalette(page, 'resume rex');
    const option = page.getByRole('option', { name: 'Resume Rex', exact: true });
    await option.waitFor();
    await must(colleague, `POST /api/agents/${agentId}/resume`);
    await option.click();
    await page
      .getByRole('alert')
      .getByText(/^Rex was active already, by A operator/)
      .waitFor();
    expect(await statusOf(agentId)).toBe('active');
  });
});
