import { AppError, type Method } from '@commonplace/contracts';

export type RouterEntry<Target> = {
  readonly method: Method;
  /** OpenAPI form: `/api/notes/{id}`. */
  readonly path: string;
  readonly target: Target;
};

/** A route, with the decoded parameters of the requested path. */
type ResolvedRoute<Target> = {
  readonly route: RouterEntry<Target>;
  readonly params: Readonly<Record<string, string>>;
};

type Node<Target> = {
  readonly literals: Map<string, Node<Target>>;
  parameter: Node<Target> | null;
  /** By method. */
  readonly routes: Map<string, Entry<Target>>;
};

type Entry<Target> = {
  readonly route: RouterEntry<Target>;
  readonly names: readonly PathParameter[];
};

/** A parameter of a path, and the index of its segment. */
type PathParameter = { readonly name: string; readonly at: number };

/** The node of a path that has routes, and the segments of the path. */
type Match<Target> = { readonly node: Node<Target>; readonly segments: readonly string[] };

export type Router<Target> = {
  /** Returns null for a path without routes. */
  readonly match: (path: string) => Match<Target> | null;
  /** Returns the route of a method. Throws 404 without a match, and 405 with `Allow` for another method. */
  readonly resolve: (match: Match<Target> | null, method: string) => ResolvedRoute<Target>;
  /** The targets of all methods; empty without a match. */
  readonly targets: (match: Match<Target> | null) => readonly Target[];
  /** The methods for `Allow`; empty without a match. */
  readonly allowedMethods: (match: Match<Target> | null) => readonly string[];
};

/**
 * Creates the router. Two routes for one path and method are an error. Literal segments take precedence over
 * parameters, so `/agents/me` is not the agent "me". HEAD uses the route of GET.
 */
export const createRouter = <Target>(routes: readonly RouterEntry<Target>[]): Router<Target> => {
  const root = emptyNode<Target>();
  for (const route of routes) {
    insert(root, route);
  }
  return {
    match: (path) => {
      const segments = path.split('/');
      const node = matchNode(root, segments);
      return node && { node, segments };
    },
    resolve: (match, method) => {
      if (!match) {
        throw new AppError('route_not_found');
      }
      const entry = match.node.routes.get(method === 'HEAD' ? 'GET' : method);
      if (!entry) {
        throw new AppError('method_not_allowed', undefined, {
          headers: { Allow: methodsOf(match).join(', ') },
        });
      }
      return { route: entry.route, params: paramsOf(entry.names, match.segments) };
    },
    targets: (match) => [...(match?.node.routes.values() ?? [])].map(({ route }) => route.target),
    allowedMethods: methodsOf,
  };
};

const emptyNode = <Target>(): Node<Target> => ({
  literals: new Map(),
  parameter: null,
  routes: new Map(),
});

const insert = <Target>(root: Node<Target>, route: RouterEntry<Target>): void => {
  let node = root;
  for (const segment of route.path.split('/').slice(1)) {
    node = segment.startsWith('{') ? (node.parameter ??= emptyNode()) : childOf(node, segment);
  }
  const method = route.method.toUpperCase();
  if (node.routes.has(method)) {
    throw new Error(`Two routes for ${method} ${route.path}`);
  }
  node.routes.set(method, { route, names: namesOf(route.path) });
};

const childOf = <Target>(node: Node<Target>, segment: string): Node<Target> => {
  const child = node.literals.get(segment) ?? emptyNode<Target>();
  node.literals.set(segment, child);
  return child;
};

/** The node with routes for the segments from `at` on. Tries the literal branch first, then the parameter. */
const matchNode = <Target>(
  node: Node<Target>,
  segments: readonly string[],
  at = 1,
): Node<Target> | null => {
  const segment = segments[at];
  if (segment === undefined) {
    return node.routes.size > 0 ? node : null;
  }
  const literal = node.literals.get(segment);
  const found = literal ? matchNode(literal, segments, at + 1) : null;
  return found ?? (node.parameter && segment ? matchNode(node.parameter, segments, at + 1) : null);
};

const methodsOf = <Target>(match: Match<Target> | null): readonly string[] =>
  [...(match?.node.routes.keys() ?? [])].flatMap((method) =>
    method === 'GET' ? ['GET', 'HEAD'] : [method],
  );

const noParams: Readonly<Record<string, string>> = {};

const paramsOf = (
  names: readonly PathParameter[],
  segments: readonly string[],
): Readonly<Record<string, string>> => {
  if (names.length === 0) {
    return noParams;
  }
  const params: Record<string, string> = {};
  for (const { name, at } of names) {
    params[name] = decodeURIComponent(segments[at] ?? '');
  }
  return params;
};

const namesOf = (path: string): PathParameter[] =>
  path
    .split('/')
    .flatMap((segment, at) =>
      segment.startsWith('{') ? [{ name: segment.slice(1, -1), at }] : [],
    );
