import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openPage } from '../tools/wait-until-idle.ts';
import { expectNoAxeViolations } from './support/axe.ts';
import type { Visitor } from './support/browser.ts';
import { fillLogin } from './support/sign-in.ts';
import { startEmptyConsole, type EmptyConsole } from './support/start-console.ts';
import { expectLargeTargets } from './support/targets.ts';

const links: string[] = [];
let subject: EmptyConsole;
let visitor: Visitor;
beforeAll(async () => {
  subject = await startEmptyConsole('authenticated', {
    onSetupLink: (url) => links.push(url),
    env: { BOOTSTRAP_OPERATOR_EMAIL: '', BOOTSTRAP_OPERATOR_PASSWORD: '' },
  });
  visitor = await subject.visit({ permissions: ['clipboard-read', 'clipboard-write'] });
}, 120_000);
afterAll(async () => {
  await visitor.close();
  await subject.stop();
});

const cli = join(import.meta.dirname, '../../cli/src/main.ts');

/** Runs what the page offers to copy, as an operator does, in a shell. */
const runInShell = async (commands: string): Promise<string> => {
  const script = `set -e\ncommonplace() { '${process.execPath}' '${cli}' "$@"; }\n${commands}\n`;
  const { stdout } = await promisify(execFile)('/bin/bash', ['-c', script], { timeout: 60_000 });
  return stdout;
};

describe('a new operator', () => {
  it('walks from the ready line to the first note of an agent by what the pages say', async () => {
    const { page } = visitor;
    const startedMs = Date.now();
    await page.goto(links[0] ?? 'about:blank');
    await page.getByLabel('Email', { exact: true }).fill('first@example.org');
    await page.getByLabel('Name', { exact: true }).fill('Frida First');
    await page.getByLabel('Password', { exact: true }).fill('nine blue kites in the rain');
    await page.getByRole('button', { name: 'Create account' }).click();
    await page.getByRole('link', { name: 'Create a company' }).click();
    await page.getByLabel('Name', { exact: true }).fill('First Works');
    await page.getByRole('button', { name: 'Create company' }).click();
    await page.getByRole('heading', { name: 'Company: First Works' }).waitFor();
    const forApps = page.getByLabel('Address for apps', { exact: true });
    expect(await forApps.innerText()).toBe(`${new URL(page.url()).origin}/connect/mcp`);
    await page.getByLabel('Name', { exact: true }).fill('Ada');
    await page.getByRole('button', { name: 'Create agent' }).click();
    await page.getByRole('heading', { name: 'Agent: Ada' }).waitFor();
    await page.getByRole('button', { name: 'Create key' }).click();
    await page.getByText('Waiting for a note of Ada').waitFor();
    await page.getByLabel('API key', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Copy Command' }).click();
    // The page says that it copied once the clipboard has it.
    await page.getByText('Copied', { exact: true }).waitFor();
    const command = await page.evaluate(() => navigator.clipboard.readText());
    expect(command).toContain(`${new URL(page.url()).origin}/api/notes`);
    await runInShell(command);
    await page.getByText('Ada wrote').waitFor();
    await page.getByRole('link', { name: 'Hello from curl', exact: true }).click();
    // Its text is in the copied command, too.
    await page.getByRole('heading', { name: 'Hello from curl', level: 1 }).waitFor();
    await page.getByRole('main').getByText('My first note.').waitFor();
    const seconds = ((Date.now() - startedMs) / 1000).toFixed(1);
    process.stderr.write(`From the ready line to the first note: ${seconds} s\n`);
  });

  it('is offered commands for the command line and a configuration for MCP that work', async () => {
    const { page } = visitor;
    await page.goBack();
    await page.getByRole('button', { name: 'Create key' }).click();
    await page.getByLabel('API key', { exact: true }).waitFor();
    await page.getByRole('tab', { name: 'CLI' }).click();
    await runInShell(await page.getByLabel('Commands', { exact: true }).innerText());
    await page.getByRole('tab', { name: 'MCP' }).click();
    const text = await page
      .getByLabel('Configuration of other clients', { exact: true })
      .innerText();
    const { url, headers } = (
      JSON.parse(text) as {
        mcpServers: { commonplace: { url: string; headers: Record<string, string> } };
      }
    ).mcpServers.commonplace;
    const command = await page.getByLabel('Claude Code', { exact: true }).innerText();
    const args = (await runInShell(`claude() { printf '%s\\n' "$@"; }\n${command}`)).trim();
    const header = `Authorization: ${headers['Authorization']}`;
    const words = ['mcp', 'add', '--transport', 'http', 'commonplace', url, '--header', header];
    expect(args.split('\n')).toEqual(words);
    const response = await fetch(url, {
      method: 'POST',
      headers: {
        ...headers,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
      },
      body: JSON.stringify({
        jsonrpc: '2.0',
        id: 1,
        method: 'tools/call',
        params: { name: 'write_note', arguments: { path: 'Over MCP', content: 'Hello.' } },
      }),
    });
    expect(response.status).toBe(200);
    await page.getByRole('link', { name: 'Notes', exact: true }).click();
    // The page of the first steps has a link to the latest note too.
    await page.getByRole('heading', { name: 'Notes', level: 1 }).waitFor();
    await page.getByRole('link', { name: 'Over MCP' }).waitFor();
    expect(await page.getByRole('link', { name: 'Hello from the shell' }).count()).toBe(1);
  });
});

describe('the first steps', () => {
  it('have no violations of WCAG 2.2 AA, light and dark, on desktop and phone', async () => {
    const { page } = visitor;
    const [, path = ''] = /^(\/companies\/[^/]+)/.exec(new URL(page.url()).pathname) ?? [];
    await openPage(page, `${path}/begin`);
    await page.getByRole('heading', { name: 'First note' }).waitFor();
    for (const colorScheme of ['light', 'dark'] as const) {
      for (const width of [1200, 390]) {
        await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
        await page.setViewportSize({ width, height: 780 });
        await expectNoAxeViolations(page);
        await expectLargeTargets(page);
        const wide = await page.evaluate(() => document.documentElement.scrollWidth);
        expect(wide).toBeLessThanOrEqual(width);
        const blocks = await page
          .locator('pre')
          .evaluateAll((all) => all.map((block) => block.scrollWidth - block.clientWidth));
        expect(blocks.length).toBeGreaterThanOrEqual(2);
        expect(Math.max(...blocks)).toBe(0);
      }
    }
  });
});

describe('the console at another name of this machine', () => {
  it('shows the address that the metadata for apps name, and elsewhere says where passkeys work', async () => {
    const other = await subject.visit();
    const { page } = other;
    await page.goto('/login');
    const { origin, port } = new URL(page.url());
    await page.getByText(`Passkeys work at http://localhost:${port}`).waitFor();
    await expectNoAxeViolations(page);
    await page.goto(`http://localhost:${port}/login`);
    const account = { email: 'first@example.org', password: 'nine blue kites in the rain' };
    await fillLogin(page, account);
    await page.getByRole('heading', { name: 'Dashboard' }).waitFor();
    expect(await page.getByText('Passkeys work at').count()).toBe(0);
    await page.goto(`${page.url().replace(/\/$/, '')}/begin`);
    const address = page.getByLabel('Address for apps', { exact: true });
    expect(await address.innerText()).toBe(`${origin}/connect/mcp`);
    await page.getByText(`Apps use 127.0.0.1:${port}`).waitFor();
    await other.close();
  });
});
