import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { inviteMember, memberPassword, type CompanyWorld } from '@commonplace/e2e';
import { openPage } from '../tools/wait-until-idle.ts';
import { createDemoData, type DemoData } from '../tools/demo-data.ts';
import type { Visitor } from './support/browser.ts';
import { startEmptyConsole, type EmptyConsole } from './support/start-console.ts';

let subject: EmptyConsole;
let demo: DemoData;
let viewer: Visitor;
let owner: Visitor;
beforeAll(async () => {
  subject = await startEmptyConsole('authenticated');
  const { system } = subject;
  const asBoard = system.as(await system.boardHeaders());
  demo = await createDemoData(system.baseUrl, asBoard);
  const email = 'vera@example.org';
  await inviteMember(asBoard, { companyId: demo.companyId } as CompanyWorld, {
    baseUrl: system.baseUrl,
    email,
    role: 'viewer',
  });
  viewer = await subject.enter({ email, password: memberPassword });
  owner = await subject.enter();
}, 180_000);
afterAll(async () => {
  await viewer.close();
  await owner.close();
  await subject.stop();
});

/** The verbs of all actions that change something. */
const changing =
  /^(new|create|edit|save|pause|resume|terminate|rotate|revoke|cancel|delete|restore|keep|invite|remove|withdraw|archive|accept|reject)\b/i;

/** The changes a page offers: buttons, links and selects. */
const offersOf = async (visitor: Visitor, path: string): Promise<readonly string[]> => {
  await openPage(visitor.page, path);
  return shownOffers(visitor);
};

const shownOffers = async ({ page }: Visitor): Promise<readonly string[]> => {
  const main = page.getByRole('main');
  return [
    ...(await main.getByRole('button', { name: changing }).allInnerTexts()),
    ...(await main.getByRole('link', { name: changing }).allInnerTexts()),
    ...(await main.getByRole('combobox', { name: /^Role of/ }).allInnerTexts()),
  ];
};

type Where = readonly [name: string, pathOf: (at: DemoData) => string];

const pages: readonly Where[] = [
  ['the agents', ({ company }) => `${company}/agents`],
  ['an agent', ({ agent }) => agent],
  ['the keys of an agent', ({ agent }) => `${agent}?tab=keys`],
  ['the runs of an agent', ({ agent }) => `${agent}?tab=runs`],
  ['the notes', ({ company }) => `${company}/notes`],
  ['a note', ({ note }) => note],
  ['the history of a note', ({ note }) => `${note}/history`],
  ['a conflict', ({ conflict }) => conflict],
  ['the proposals', ({ company }) => `${company}/proposals`],
  ['a proposal that overlaps', ({ overlap }) => overlap],
  ['the runs', ({ company }) => `${company}/runs`],
  ['the members', ({ company }) => `${company}/members`],
  ['the settings', ({ company }) => `${company}/settings`],
];

describe('a viewer is offered no changes where an owner is:', () => {
  it.each(pages)('%s', async (_, pathOf) => {
    const path = pathOf(demo);
    await openPage(viewer.page, path);
    // Parts of a page come later than its heading: by then the page of the viewer has had as long for them.
    let forOwner = await offersOf(owner, path);
    while (forOwner.length === 0) {
      forOwner = await shownOffers(owner);
    }
    expect(await shownOffers(viewer)).toEqual([]);
    expect(await viewer.page.getByRole('alert').count()).toBe(0);
  });

  it.each([
    ['the dashboard', ''],
    ['the org chart', '/org-chart'],
    ['the activity', '/activity'],
    ['the sync jobs', '/sync-jobs'],
  ])('neither, as everybody is not: %s', async (_, section) => {
    expect(await offersOf(viewer, demo.company + section)).toEqual([]);
    expect(await viewer.page.getByRole('alert').count()).toBe(0);
  });
});

describe('a viewer who reaches only one folder', () => {
  let limited: Visitor;
  beforeAll(async () => {
    const { system } = subject;
    const email = 'lena@example.org';
    await inviteMember(system.as(await system.boardHeaders()), demo, {
      baseUrl: system.baseUrl,
      email,
      role: 'viewer',
      grants: [{ folder: 'research', scope: 'read' }],
    });
    limited = await subject.enter({ email, password: memberPassword });
  });
  afterAll(() => limited.close());

  it('reads the settings without what is about all notes', async () => {
    const { page } = limited;
    await openPage(page, `${demo.company}/settings`);
    await page.getByRole('heading', { name: 'Settings', level: 1 }).waitFor();
    await page.getByText('which counts in').waitFor();
    expect(await page.getByRole('alert').count()).toBe(0);
  });

  it('reads about a note elsewhere who can change that, and finds the way back', async () => {
    const asBoard = subject.system.as(await subject.system.boardHeaders());
    const { body } = await asBoard('POST', '/api/notes', {
      body: { title: 'Elsewhere', content: 'n\n', folder: 'not-hers' },
      headers: { 'x-company-id': demo.companyId },
    });
    const { id } = body as { readonly id: string };
    const { page } = limited;
    await openPage(page, `${demo.company}/notes/${id}`);
    await page.getByRole('heading', { level: 1, name: /do not have access/ }).waitFor();
    expect(await page.getByRole('main').innerText()).toContain(
      'An owner of the company can change that under Members.',
    );
    await page.getByRole('link', { name: 'All notes that you can read' }).click();
    await page.getByRole('heading', { name: 'Notes', level: 1 }).waitFor();
    for (const section of ['history', 'conflict']) {
      await openPage(page, `${demo.company}/notes/${id}/${section}`);
      await page.getByRole('heading', { level: 1, name: /do not have access/ }).waitFor();
      expect(await page.getByRole('alert').count()).toBe(0);
    }
  });
});

describe('a viewer whose folders change', () => {
  let visitor: Visitor | undefined;
  afterEach(() => visitor?.close());

  it('sees on the open page the notes of the new ones, and no more those of the others', async () => {
    const { system } = subject;
    const asBoard = system.as(await system.boardHeaders());
    const email = 'wanda@example.org';
    const options = { baseUrl: system.baseUrl, email, role: 'viewer' } as const;
    const limited = { grants: [{ folder: 'research', scope: 'read' }] } as const;
    const headers = await inviteMember(asBoard, demo, { ...options, ...limited });
    const { operator } = (await system.as(headers)('GET', '/api/auth/session')).body as {
      readonly operator: { readonly id: string };
    };
    for (const [folder, title] of [
      ['research', 'Of the former folder'],
      ['elsewhere', 'Of the new folder'],
    ]) {
      const named = { 'x-company-id': demo.companyId };
      await asBoard('POST', '/api/notes', { body: { title, folder }, headers: named });
    }
    visitor = await subject.enter({ email, password: memberPassword });
    const { page } = visitor;
    await openPage(page, `${demo.company}/notes`);
    const main = page.getByRole('main');
    await main.getByText('Of the former folder').waitFor();
    const path = `/api${demo.company}/members/${operator.id}`;
    const body = { grants: [{ folder: 'elsewhere', scope: 'read' }] };
    expect((await asBoard('PATCH', path, { body })).status).toBe(200);
    await main.getByText('Of the new folder').waitFor();
    await main.getByText('Of the former folder').waitFor({ state: 'detached' });
  });
});

describe('a viewer who opens an address directly', () => {
  it.each([
    ['of the editor', ({ note }: DemoData) => `${note}/edit`],
    ['of a new note', ({ company }: DemoData) => `${company}/notes/new`],
    ['of the operators', () => '/operators'],
    ['of a new company', () => '/companies/new'],
  ])('%s gets a page that explains the missing permission', async (_, pathOf) => {
    const { page } = viewer;
    await openPage(page, pathOf(demo));
    await page.getByRole('heading', { level: 1, name: /cannot|only/i }).waitFor();
    expect(await page.getByRole('main').getByRole('button', { name: changing }).count()).toBe(0);
  });

  it('has no links to pages for administrators', async () => {
    const { page } = viewer;
    await openPage(page, demo.company);
    const navigation = page.getByRole('navigation', { name: 'Main' });
    await navigation.getByRole('link', { name: 'Settings' }).waitFor();
    expect(await navigation.getByRole('link', { name: 'Operators' }).count()).toBe(0);
  });
});
