import type { IncomingMessage, ServerResponse } from 'node:http';
import type {
  CompanyId,
  CompanyStatus,
  HeldGrants,
  JsonOf,
  Reach,
  ResponseContracts,
  Role,
  RouteContract,
} from '@commonplace/contracts/core';
import type { AgentCaller, OperatorCaller, ServiceCaller } from '@commonplace/identity';
import type { z } from 'zod';
import type { Work } from './work.ts';

/** The parsed part of a request; an empty object where the contract declares none. */
type OutputOf<Schema> = [NonNullable<Schema>] extends [never]
  ? Record<string, never>
  : NonNullable<Schema> extends z.ZodType
    ? z.output<NonNullable<Schema>>
    : Record<string, never>;

type CompanyCaller<A> = A extends { operators: 'never' }
  ? AgentCaller
  : A extends { agents: 'never' }
    ? OperatorCaller
    : AgentCaller | OperatorCaller;

/** The callers that the declared access of a route admits. */
type CallerOf<A> = A extends { kind: 'public' }
  ? null
  : A extends { kind: 'service' }
    ? ServiceCaller
    : A extends { kind: 'administrator' } | { kind: 'caller'; agents: false }
      ? OperatorCaller
      : A extends { kind: 'company' }
        ? CompanyCaller<A>
        : AgentCaller | OperatorCaller;

/** The company of a request, and the role of the caller there. */
export type CompanyScope = {
  readonly id: CompanyId;
  /** Null for agents. */
  readonly role: Role | null;
  readonly status: CompanyStatus;
  /** What the caller may do with the notes of which folders; null means everything. */
  readonly grants: HeldGrants;
  /** What the caller sees of the company. */
  readonly reach: Reach;
};

/** A parsed and authorized request. */
export type RouteRequest<Contract extends RouteContract = RouteContract> = {
  readonly params: OutputOf<Contract['params']>;
  readonly query: OutputOf<Contract['query']>;
  readonly body: OutputOf<Contract['body']>;
  readonly caller: CallerOf<Contract['access']>;
  readonly company: Contract['access'] extends { kind: 'company' } ? CompanyScope : null;
  /** The access that was checked. A handler that changes something checks it again in its transaction. */
  readonly access: Contract['access'];
  readonly requestId: string;
  readonly header: (name: string) => string | undefined;
  /** The media type the client prefers, by its `Accept`; without one, or of equal ones, the first. False: none. */
  readonly accepts: (...types: string[]) => string | false;
  /** Creates a signal that is aborted when the client disconnects. It costs as much as parsing a small schema. */
  readonly closeSignal: () => AbortSignal;
  /** Where the request waits: for reads of much stored content, and for heavy work. */
  readonly work: Work<{
    readonly caller: CallerOf<Contract['access']>;
    readonly company: Contract['access'] extends { kind: 'company' } ? CompanyScope : null;
  }>;
  /** For sessions and streams only. */
  readonly raw: { readonly req: IncomingMessage; readonly res: ServerResponse };
};

type ReplyHeaders = { readonly headers?: Readonly<Record<string, string>> };

/** Writes the response itself once the headers are set. */
type WriteStream = (res: ServerResponse) => void;

type StreamReply<Status, Declared> = Declared extends { eventStream: string }
  ? ReplyHeaders & { readonly status: Status; readonly stream: WriteStream }
  : never;

type MarkdownReply<Status, Declared> = Declared extends { markdown: string }
  ? ReplyHeaders & { readonly status: Status; readonly markdown: string }
  : never;

type CsvReply<Status, Declared> = Declared extends { csv: string }
  ? ReplyHeaders & { readonly status: Status; readonly csv: string }
  : never;

type ElementOf<List> = List extends readonly (infer Element)[] ? Element : never;

/** A streamed body: one long list, and the properties that are known at its end. */
export type StreamedBody<Body, List extends keyof Body> = {
  readonly list: List;
  readonly parts: AsyncIterable<readonly JsonOf<ElementOf<Body[List]>>[]>;
  /** All properties but the list; called when the list has ended. */
  readonly rest: () => Omit<Body, List>;
};

type StreamedReply<Status, Body> = {
  [List in keyof Body]-?: Body[List] extends readonly unknown[]
    ? ReplyHeaders & { readonly status: Status; readonly streamed: StreamedBody<Body, List> }
    : never;
}[keyof Body];

type RepliesOf<Responses extends ResponseContracts> = {
  [Status in keyof Responses & number]:
    | StreamReply<Status, Responses[Status]>
    | MarkdownReply<Status, Responses[Status]>
    | CsvReply<Status, Responses[Status]>
    | (Responses[Status] extends { schema: infer Schema extends z.ZodType }
        ?
            | (ReplyHeaders & { readonly status: Status; readonly body: z.input<Schema> })
            | StreamedReply<Status, z.input<Schema>>
        : ReplyHeaders & { readonly status: Status; readonly stream?: WriteStream });
}[keyof Responses & number];

/** What a handler may return: a declared status with the body of its schema. */
export type Reply<Contract extends RouteContract = RouteContract> = RepliesOf<
  Contract['responses']
>;

/** The parsed body of a response, of any status. */
export type ReplyBody<Contract extends RouteContract> = {
  [Status in keyof Contract['responses'] & number]: Contract['responses'][Status] extends {
    schema: infer Schema extends z.ZodType;
  }
    ? z.output<Schema>
    : undefined;
}[keyof Contract['responses'] & number];

/** A route of the application, created by `defineRoute` only. */
export type Route = {
  readonly contract: RouteContract;
  readonly handle: (request: RouteRequest) => Promise<AnyReply>;
};

/** A reply without its static type, after the handler returned. */
export type AnyReply = {
  readonly status: number;
  readonly body?: unknown;
  readonly markdown?: string;
  readonly csv?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly stream?: WriteStream;
  readonly streamed?: {
    readonly list: string;
    readonly parts: AsyncIterable<readonly string[]>;
    readonly rest: () => object;
  };
};
