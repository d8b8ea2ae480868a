import type { LastCompanyKey } from './api/last-company.ts';
import type { Early } from './api/take-early.ts';

/**
 * A script of its own, which runs before the code of the console is there: it begins to load what the first page needs, so that
 * the browser does not wait for one after the other. Everything works without it: what it did not begin is loaded later.
 */
const early: Early = { files: new Map(), responses: new Map(), arrivedMs: new Map() };
globalThis.commonplaceEarly = early;

/** The files of a page by its address below a company; `*` stands for an id. */
type Pages = Readonly<Record<string, readonly string[]>>;

const id = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}';
const address = new RegExp(`^/companies/(${id})(?:/(.*?))?/?$`);
const noteAddress = new RegExp(`^notes/(${id})(?:/|$)`);

const get = (path: string, companyId = ''): Promise<Response> => {
  const headers: HeadersInit = companyId === '' ? {} : { 'X-Company-Id': companyId };
  const response = fetch(path, { headers, redirect: 'error' });
  early.responses.set(`${companyId} ${path}`, response);
  response
    .then((arrived) => early.arrivedMs.set(arrived, Date.now()))
    // Who takes it sees why it failed.
    .catch(() => undefined);
  return response;
};

const beginData = async (companyId: string, below: string): Promise<void> => {
  void get('/api/auth/session');
  void get('/api/companies?limit=200');
  void get(`/api/companies/${companyId}`);
  if (!below.startsWith('notes')) {
    return;
  }
  const noteId = noteAddress.exec(below)?.[1];
  // A note must not be older than the head of the feed.
  const head = await get('/api/notes/changes', companyId);
  if (head.ok && noteId !== undefined) {
    await get(`/api/notes/${noteId}`, companyId);
  }
};

const beginFile = async (path: string): Promise<void> => {
  const response = await fetch(path);
  if (!response.ok) {
    throw new Error(String(response.status));
  }
  await response.arrayBuffer();
  if (path.endsWith('.js')) {
    // Now from the cache: a browser that cannot load a module never tries it again.
    const link = document.createElement('link');
    link.rel = 'modulepreload';
    link.href = path;
    document.head.append(link);
  }
};

const beginFiles = (files: readonly string[]): void => {
  for (const path of files) {
    const loading = beginFile(path);
    loading.catch(() => early.files.delete(path));
    if (path.endsWith('.js')) {
      early.files.set(path, loading);
    }
  }
};

const lastCompanyKey: LastCompanyKey = 'commonplace.company';

const lastCompany = (): string => {
  try {
    return localStorage.getItem(lastCompanyKey) ?? '';
  } catch {
    return '';
  }
};

const begin = (): void => {
  const script = document.querySelector<HTMLScriptElement>('script[data-pages]');
  // The server saw a session, or needs none.
  const isSignedIn = document.querySelector('.shell[data-shell="app"]') !== null;
  const path = location.pathname === '/' ? `/companies/${lastCompany()}` : location.pathname;
  const [, companyId, below = ''] = address.exec(path) ?? [];
  if (!isSignedIn || companyId === undefined) {
    return;
  }
  beginData(companyId, below).catch(() => undefined);
  const pages = JSON.parse(script?.dataset['pages'] ?? '{}') as Pages;
  beginFiles(pages[below.replaceAll(new RegExp(`(?<=^|/)${id}(?=/|$)`, 'g'), '*')] ?? []);
};

begin();
