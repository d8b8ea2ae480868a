import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import {
  errorCodes,
  finishRunContract,
  listScopes,
  startRunContract,
  type ErrorCode,
  type Run,
} from '@commonplace/contracts';
import { makeApiKey } from '@commonplace/identity';
import { assertDocumented } from '@commonplace/testkit';
import type { z } from 'zod';

const bodyOf = <Body extends z.ZodType>({ body }: { readonly body?: Body }): Body => {
  if (!body) {
    throw new Error('The contract has no body.');
  }
  return body;
};
const startBody = bodyOf(startRunContract);
const finishBody = bodyOf(finishRunContract);

type Reply = { readonly status: number; readonly body: unknown };

/**
 * A small server with the contract of runs, one agent and one key. It parses bodies with the schemas of
 * the contract. A response that the OpenAPI document does not allow fails the test.
 */
export class FakeGateway {
  readonly agentId = randomUUID();
  readonly companyId = randomUUID();
  /** The only valid key; assigning another rotates it. */
  key = makeApiKey();
  readonly runs: Run[] = [];
  /** Every issued token, the newest last. */
  readonly tokens: string[] = [];
  readonly renewedAtMs: number[] = [];
  /** The lifetime of tokens, regardless of the request. */
  lifetimeMs = 900_000;
  /** The context of every run, as Markdown. */
  context = '# Context\n';
  /** Responses on paths that end so wait for a promise. */
  held: { readonly path: string; readonly until: Promise<unknown> } | undefined;
  /** The paths of all requests. */
  readonly paths: string[] = [];
  /** The error of starts and renewals, if they are refused. */
  refusal: ErrorCode | undefined;
  /** Whether connections break before the response is sent. */
  breaksOff = false;
  /** The bodies of all starts. */
  readonly starts: unknown[] = [];
  #server: Server | undefined;
  #port = 0;
  readonly #faults: unknown[] = [];

  get baseUrl(): string {
    return `http://127.0.0.1:${this.#port}`;
  }

  /** Listens. After `stop` it listens on the same port again, like a restarted gateway. */
  async start(): Promise<void> {
    this.#server = createServer((req, res) => {
      this.#handle(req, res).catch((fault: unknown) => {
        this.#faults.push(fault);
        res.destroy();
      });
    });
    this.#server.listen(this.#port, '127.0.0.1');
    await once(this.#server, 'listening');
    this.#port = (this.#server.address() as AddressInfo).port;
  }

  async stop(): Promise<void> {
    const server = this.#server;
    this.#server = undefined;
    if (server) {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    }
    if (this.#faults.length > 0) {
      throw new AggregateError(this.#faults, 'The fake gateway was misused.');
    }
  }

  /** Cancels the running runs as the board does: the cost is the reservation. */
  cancel(reason: string | null = null): void {
    for (const run of this.runs.filter(({ status }) => status === 'running')) {
      this.#end(run, 'cancelled', run.reservedCents);
      run.reason = reason;
    }
  }

  async #handle(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const { method = '', url: path = '' } = req;
    this.paths.push(path);
    if (this.held && path.endsWith(this.held.path)) {
      await this.held.until;
    }
    if (path === '/api/context') {
      res.writeHead(200, { 'content-type': 'text/markdown', 'x-context-cursor': 'cursor-1' });
      res.end(this.context);
      return;
    }
    const reply = await this.#replyTo(req);
    if (this.breaksOff) {
      res.destroy();
      return;
    }
    const contentType = reply.status < 400 ? 'application/json' : 'application/problem+json';
    assertDocumented({ method, path, contentType, ...reply });
    res.writeHead(reply.status, { 'content-type': contentType, 'x-request-id': 'request-1' });
    res.end(JSON.stringify(reply.body));
  }

  async #replyTo(req: IncomingMessage): Promise<Reply> {
    const hasBody = Number(req.headers['content-length'] ?? 0) > 0;
    const body = hasBody ? await json(req) : {};
    if (req.headers.authorization !== `Bearer ${this.key}`) {
      return problem('invalid_token');
    }
    const [, , , id = '', action = ''] = req.url?.split('/') ?? [];
    if (req.method === 'POST' && action === 'runs') {
      return id === this.agentId ? this.#startRun(body) : problem('not_own_agent');
    }
    const run = this.runs.find((candidate) => candidate.id === id);
    if (run && req.method === 'GET' && action === '') {
      return { status: 200, body: run };
    }
    if (!run || req.method !== 'POST') {
      return problem('not_found');
    }
    return action === 'renew' ? this.#renew(run) : this.#finish(run, body);
  }

  #startRun(body: unknown): Reply {
    if (this.refusal) {
      return problem(this.refusal);
    }
    this.starts.push(body);
    const { trigger, reserveCents, scopes, grants = null } = startBody.parse(body);
    const startedAtMs = Date.now();
    const run = {
      id: randomUUID(),
      agentId: this.agentId,
      companyId: this.companyId,
      status: 'running',
      trigger,
      scopes: listScopes(scopes ?? null),
      grants,
      startedAt: new Date(startedAtMs).toISOString(),
      finishedAt: null,
      tokenExpiresAt: new Date(startedAtMs + this.lifetimeMs).toISOString(),
      reservedCents: reserveCents,
      costCents: null,
      reportedCents: null,
      inputTokens: 0,
      outputTokens: 0,
      reason: null,
    } as Run;
    this.runs.push(run);
    const { token, expiresAt } = this.#makeToken();
    const env = {
      SERVICE_API_KEY: token,
      SERVICE_BASE_URL: this.baseUrl,
      SERVICE_AGENT_ID: this.agentId,
      SERVICE_COMPANY_ID: this.companyId,
      SERVICE_RUN_ID: run.id,
      SERVICE_USAGE_URL: `${this.baseUrl}/api/runs/${run.id}/usage`,
    };
    return { status: 201, body: { run, token, expiresAt, env } };
  }

  #renew(run: Run): Reply {
    if (run.status !== 'running') {
      return problem('run_finished');
    }
    if (this.refusal) {
      return problem(this.refusal);
    }
    this.renewedAtMs.push(Date.now());
    return { status: 200, body: this.#makeToken() };
  }

  #finish(run: Run, body: unknown): Reply {
    const { status, costCents, reason } = finishBody.parse(body);
    if (run.status !== 'running') {
      return run.status === status ? { status: 200, body: run } : problem('run_finished');
    }
    this.#end(run, status, costCents ?? run.reservedCents);
    run.reason = reason ?? null;
    return { status: 200, body: run };
  }

  #end(run: Run, status: Run['status'], costCents: number): void {
    Object.assign(run, { status, costCents, finishedAt: new Date().toISOString() });
  }

  #makeToken(): { token: string; expiresAt: string } {
    const token = `token-${this.tokens.length + 1}-of-${randomUUID()}`;
    this.tokens.push(token);
    return { token, expiresAt: new Date(Date.now() + this.lifetimeMs).toISOString() };
  }
}

const problem = (code: ErrorCode): Reply => {
  const { status, title } = errorCodes[code];
  const body = { type: 'about:blank', title, status, detail: title, code, requestId: 'request-1' };
  return { status, body };
};
