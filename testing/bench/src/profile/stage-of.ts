/** What of a call frame says where its time goes. `url` is empty for code of V8 and for native functions. */
export type Frame = { readonly functionName: string; readonly url: string };

const outside: Readonly<Record<string, string>> = {
  '(garbage collector)': 'garbage collection',
  '(program)': 'kernel and native code',
};

const nodeStages: readonly (readonly [pattern: RegExp, stage: string])[] = [
  [/^node:(?:internal\/)?_?http/, 'Node: HTTP'],
  [
    /^node:(?:_tls|net|internal\/net|internal\/stream|stream|internal\/streams)/,
    'Node: sockets and streams',
  ],
  [/^node:/, 'Node: rest'],
];

/**
 * The stage that the time of a frame belongs to: a library, a folder of ours, or a part of Node. Null if it belongs to
 * the caller's, as that of native functions does.
 */
export const stageOf = ({ functionName, url }: Frame): string | null => {
  const ofV8 = outside[functionName];
  if (ofV8 !== undefined) {
    return ofV8;
  }
  const ofNode = nodeStages.find(([pattern]) => pattern.test(url));
  if (ofNode !== undefined) {
    return ofNode[1];
  }
  const library = /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(url)?.[1];
  if (library !== undefined) {
    return library;
  }
  const room = /\/((?:services|packages)\/[^/]+)\/src\/(?:([^/]+)\/)?/.exec(url);
  return room === null ? null : [room[1], room[2]].filter((part) => part !== undefined).join(': ');
};
