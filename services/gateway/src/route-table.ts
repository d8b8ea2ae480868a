import { AppError, type Method } from '@commonplace/contracts';

export type TableRoute<Target> = {
  readonly method: Method;
  /** OpenAPI form: `/api/notes/{id}`. */
  readonly path: string;
  readonly target: Target;
};

/** A route with the decoded parameters of the path that led to it. */
type Found<Target> = {
  readonly route: TableRoute<Target>;
  readonly params: Readonly<Record<string, string>>;
};

type Node<Target> = {
  readonly literals: Map<string, Node<Target>>;
  parameter: Node<Target> | null;
  readonly routes: Map<string, TableRoute<Target>>;
};

export type RouteTable<Target> = {
  /** 404 for an unknown path, 405 with `Allow` for an unknown method of a known one. */
  readonly find: (method: string, path: string) => Found<Target>;
  readonly has: (path: string) => boolean;
  /** What `Allow` says for a path; empty when there is no such path. */
  readonly allowed: (path: string) => readonly string[];
};

/**
 * Builds the table once, at start; two routes for one path and method are an error. Literal segments
 * win over parameters, so that `/agents/me` is not an agent called "me". HEAD follows GET.
 */
export const routeTable = <Target>(routes: readonly TableRoute<Target>[]): RouteTable<Target> => {
  const root = emptyNode<Target>();
  for (const route of routes) {
    insert(root, route);
  }
  const nodeOf = (path: string) => descend(root, path.split('/'));
  return {
    find: (method, path) => {
      const segments = path.split('/');
      const node = descend(root, segments);
      if (!node) {
        throw new AppError('route_not_found');
      }
      const route = node.routes.get(method === 'HEAD' ? 'GET' : method);
      if (!route) {
        throw new AppError('method_not_allowed', undefined, {
          headers: { Allow: methodsOf(node).join(', ') },
        });
      }
      return { route, params: paramsOf(route.path, segments) };
    },
    has: (path) => nodeOf(path) !== null,
    allowed: (path) => methodsOf(nodeOf(path)),
  };
};

const emptyNode = <Target>(): Node<Target> => ({
  literals: new Map(),
  parameter: null,
  routes: new Map(),
});

const insert = <Target>(root: Node<Target>, route: TableRoute<Target>): void => {
  let node = root;
  for (const segment of route.path.split('/').slice(1)) {
    node = segment.startsWith('{') ? (node.parameter ??= emptyNode()) : childOf(node, segment);
  }
  const method = route.method.toUpperCase();
  if (node.routes.has(method)) {
    throw new Error(`Two routes for ${method} ${route.path}`);
  }
  node.routes.set(method, route);
};

const childOf = <Target>(node: Node<Target>, segment: string): Node<Target> => {
  const child = node.literals.get(segment) ?? emptyNode<Target>();
  node.literals.set(segment, child);
  return child;
};

/** The node of a path from one segment on; where the literal branch leads nowhere, the parameter is tried. */
const descend = <Target>(
  node: Node<Target>,
  segments: readonly string[],
  at = 1,
): Node<Target> | null => {
  const segment = segments[at];
  if (segment === undefined) {
    return node.routes.size > 0 ? node : null;
  }
  const literal = node.literals.get(segment);
  const found = literal ? descend(literal, segments, at + 1) : null;
  return found ?? (node.parameter && segment ? descend(node.parameter, segments, at + 1) : null);
};

const methodsOf = <Target>(node: Node<Target> | null): readonly string[] =>
  [...(node?.routes.keys() ?? [])].flatMap((method) =>
    method === 'GET' ? ['GET', 'HEAD'] : [method],
  );

const noParams: Readonly<Record<string, string>> = {};

const paramsOf = (
  pattern: string,
  segments: readonly string[],
): Readonly<Record<string, string>> => {
  if (!pattern.includes('{')) {
    return noParams;
  }
  const params: Record<string, string> = {};
  for (const [index, part] of pattern.split('/').entries()) {
    if (part.startsWith('{')) {
      params[part.slice(1, -1)] = decodeURIComponent(segments[index] ?? '');
    }
  }
  return params;
};
