import { constants } from 'node:fs';

/*
 * A disk in memory behind the functions of `node:fs/promises` that the folder sync uses: with links,
 * modes (the process is nobody special), case folding, forms of Unicode, reserved names, inode numbers
 * that are given again, and kills. What the folder sync does is counted; what the user does is not.
 */

/** How a file system treats names and numbers. */
export type DiskKind = {
  readonly foldsCase: boolean;
  /** How names are kept, and compared: NFD as HFS+ does, NFC-insensitive as APFS does, or as bytes. */
  readonly unicode: 'bytes' | 'insensitive' | 'decomposed';
  /** Names of devices, and names that end in dots or blanks, are refused, as on Windows. */
  readonly reservesNames: boolean;
};

type Facts = { readonly ino: number; mode: number; mtimeMs: number; ctimeMs: number };
type Node = Facts & { readonly birthtimeMs: number; names: number } & (
    | { readonly kind: 'file'; data: Buffer }
    | { readonly kind: 'folder'; readonly entries: Map<string, { name: string; node: Node }> }
    | { readonly kind: 'link'; readonly target: string }
  );
type FolderNode = Extract<Node, { kind: 'folder' }>;
type FileNode = Extract<Node, { kind: 'file' }>;

/** Where a path leads: the folder of its last segment, and what is there. */
type Place = { parent: FolderNode | null; key: string; name: string; node: Node | null };

/** What a killed program would have done next. */
export class KilledError extends Error {}

/** Without a stack: programs try out what a disk refuses, and nobody looks where it did. */
const fail = (code: string, what: string): Error => {
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 0;
  try {
    return Object.assign(new Error(`${code}: ${what}`), { code });
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
  }
};

const device = /^(?:con|prn|aux|nul|(?:com|lpt)\d)(?:\.|$)/i;

const statsOf = (node: Node) => ({
  ...node,
  nlink: node.names,
  size: node.kind === 'file' ? node.data.length : 0,
  uid: 1000,
  gid: 1000,
  isFile: () => node.kind === 'file',
  isDirectory: () => node.kind === 'folder',
  isSymbolicLink: () => node.kind === 'link',
});

export class ModelDisk {
  readonly #kind: DiskKind;
  readonly #handles = new Map<number, Node>();
  readonly #freeNumbers: number[] = [];
  #numbers = 1;
  #nextHandle = 10;
  // Yesterday: nothing is so new that its times prove nothing.
  #clock = Date.now() - 86_400_000;
  readonly #root: FolderNode;
  #isUser = false;
  /** How many more writes the program lives for. */
  writesLeft = Infinity;
  /** What the user does just before one of the program's operations. */
  intrusion: { after: number; readonly act: () => void } | null = null;

  constructor(kind: DiskKind) {
    this.#kind = kind;
    this.#root = this.#make('folder', 0o755) as FolderNode;
  }

  /** Acts as the user: nothing is counted, and nothing kills. What the disk refuses is not done. */
  asUser(act: () => void): boolean {
    const before = this.#isUser;
    this.#isUser = true;
    try {
      act();
      return true;
    } catch (error) {
      if (error instanceof KilledError || !(error instanceof Error && 'code' in error)) {
        throw error;
      }
      return false;
    } finally {
      this.#isUser = before;
    }
  }

  /** Every path below a folder, with what is there; links are not followed, and modes do not count. */
  tree(path: string): {
    readonly path: string;
    readonly kind: Node['kind'];
    readonly text: string;
    readonly mode: number;
  }[] {
    const visit = (node: Node, at: string): ReturnType<ModelDisk['tree']> => {
      const text =
        node.kind === 'file' ? node.data.toString() : node.kind === 'link' ? node.target : '';
      const own = { path: at, kind: node.kind, text, mode: node.mode };
      const inner = node.kind === 'folder' ? [...node.entries.values()] : [];
      return [own, ...inner.flatMap((entry) => visit(entry.node, `${at}/${entry.name}`))];
    };
    try {
      const { node } = this.#find(path, { follows: false, isFree: true });
      return node ? visit(node, path) : [];
    } catch {
      return [];
    }
  }

  readText(path: string): string {
    return this.#file(path, 4).data.toString();
  }

  /** Writes in place, or makes a file. */
  writeText(path: string, text: string): void {
    const { parent, key, name, node } = this.#find(path, { follows: true });
    if (node) {
      const file = this.#file(path, 2);
      file.data = Buffer.from(text);
      this.#touch(file, true);
      return;
    }
    this.#enter(parent, { key, name, node: this.#make('file', 0o644, text) });
  }

  makeFolder(path: string): void {
    const { parent, key, name, node } = this.#find(path, { follows: false });
    if (node) {
      throw fail('EEXIST', path);
    }
    this.#enter(parent, { key, name, node: this.#make('folder', 0o755) });
  }

  makeLink(target: string, path: string): void {
    const { parent, key, name, node } = this.#find(path, { follows: false });
    if (node) {
      throw fail('EEXIST', path);
    }
    this.#enter(parent, { key, name, node: this.#make('link', 0o777, target) });
  }

  linkFile(from: string, path: string): void {
    const source = this.#find(from, { follows: false }).node;
    const { parent, key, name, node } = this.#find(path, { follows: false });
    if (!source) {
      throw fail('ENOENT', from);
    }
    if (node) {
      throw fail('EEXIST', path);
    }
    if (source.kind === 'folder') {
      throw fail('EPERM', from);
    }
    this.#enter(parent, { key, name, node: source });
    this.#touch(source, false);
  }

  move(from: string, to: string): void {
    const source = this.#find(from, { follows: false });
    const target = this.#find(to, { follows: false });
    if (!source.node || !source.parent) {
      throw fail('ENOENT', from);
    }
    if (
      target.node === source.node &&
      source.parent === target.parent &&
      source.key !== target.key
    ) {
      return;
    }
    const isOver = target.node && target.node !== source.node;
    if (isOver && (target.node?.kind === 'folder') !== (source.node.kind === 'folder')) {
      throw fail(target.node?.kind === 'folder' ? 'EISDIR' : 'ENOTDIR', to);
    }
    if (isOver && target.node?.kind === 'folder' && target.node.entries.size > 0) {
      throw fail('ENOTEMPTY', to);
    }
    if (source.node.kind === 'folder' && this.#holds(source.node, target.parent)) {
      throw fail('EINVAL', to);
    }
    this.#mustWrite(source.parent);
    this.#mustWrite(target.parent);
    this.#mustName(target.name);
    if (isOver && target.node) {
      this.#leave(target.parent, target.key);
    }
    source.parent.entries.delete(source.key);
    target.parent?.entries.set(target.key, { name: this.#kept(target.name), node: source.node });
    this.#touch(source.node, false);
  }

  /** Removes a file or link, or a folder with all that is in it. */
  remove(path: string): void {
    const { parent, key, node } = this.#find(path, { follows: false });
    if (!node) {
      throw fail('ENOENT', path);
    }
    if (node.kind === 'folder') {
      this.#mustWrite(node);
      for (const { name } of node.entries.values()) {
        this.remove(`${path}/${name}`);
      }
    }
    this.#leave(parent, key);
  }

  changeMode(path: string, mode: number): void {
    const { node } = this.#find(path, { follows: true });
    if (!node) {
      throw fail('ENOENT', path);
    }
    node.mode = mode;
    this.#touch(node, false);
  }

  /** The functions of `node:fs/promises`, as the program calls them. */
  readonly promises = {
    lstat: async (path: string) => this.#reads(() => statsOf(this.#existing(path, false))),
    readdir: async (path: string, options?: { readonly withFileTypes?: boolean }) =>
      this.#reads(() => {
        const node = this.#existing(path, true);
        if (node.kind !== 'folder') {
          throw fail('ENOTDIR', path);
        }
        this.#must(node, 4);
        return [...node.entries.values()].map((entry) =>
          options?.withFileTypes ? { ...statsOf(entry.node), name: entry.name } : entry.name,
        );
      }),
    readFile: async (path: string) => this.#reads(() => this.readText(path)),
    mkdir: async (path: string, options?: { readonly recursive?: boolean }) =>
      this.#writes(() => {
        const parts = path.startsWith('/proc/') ? [path] : pathsTo(path);
        for (const part of options?.recursive ? parts : [path]) {
          if (!options?.recursive || !this.#find(part, { follows: true }).node) {
            this.makeFolder(part);
          }
        }
      }),
    link: async (from: string, path: string) => this.#writes(() => this.linkFile(from, path)),
    rename: async (from: string, path: string) => this.#writes(() => this.move(from, path)),
    rm: async (path: string, options?: { readonly force?: boolean }) =>
      this.#writes(() => {
        try {
          this.remove(path);
        } catch (error) {
          if (!options?.force || !(error as Error).message.startsWith('ENOENT')) {
            throw error;
          }
        }
      }),
    chmod: async (path: string, mode: number) => this.#writes(() => this.changeMode(path, mode)),
    chown: async () => undefined,
    writeFile: async (path: string, text: string) => this.#writes(() => this.writeText(path, text)),
    open: async (path: string, flags: string | number) => this.#open(path, flags),
  };

  #open(path: string, flags: string | number) {
    if (typeof flags === 'number') {
      return this.#reads(() => {
        const isFolder = (flags & constants.O_DIRECTORY) !== 0;
        const node = this.#existing(path, (flags & constants.O_NOFOLLOW) === 0);
        if (isFolder ? node.kind !== 'folder' : node.kind === 'link') {
          throw fail(isFolder ? 'ENOTDIR' : 'ELOOP', path);
        }
        if (!isFolder) {
          this.#must(node, 4);
        }
        return this.#handle(node);
      });
    }
    return this.#writes(() => {
      const { node } = this.#find(path, { follows: true });
      if (node && flags.includes('x')) {
        throw fail('EEXIST', path);
      }
      if (!node || flags.startsWith('w')) {
        this.writeText(path, '');
      }
      return this.#handle(this.#file(path, 2));
    });
  }

  #handle(node: Node) {
    const fd = (this.#nextHandle += 1);
    this.#handles.set(fd, node);
    const data = (): FileNode => {
      if (node.kind !== 'file') {
        throw fail('EISDIR', 'a handle');
      }
      return node;
    };
    const append = (text: Buffer | string): void => {
      data().data = Buffer.concat([data().data, Buffer.from(text)]);
      this.#touch(node, true);
    };
    const writeAll = async (text: Buffer | string): Promise<void> => {
      // A program that is killed as it writes leaves the first half.
      this.#writes(
        () => append(text),
        () => append(Buffer.from(text).subarray(0, text.length / 2)),
      );
    };
    return {
      fd,
      stat: async () => this.#reads(() => statsOf(node)),
      readFile: async () => this.#reads(() => Buffer.from(data().data)),
      read: async (...[buffer, offset, length, position]: [Buffer, number, number, number]) =>
        this.#reads(() => ({
          bytesRead: data().data.copy(buffer, offset, position, position + length),
        })),
      appendFile: writeAll,
      writeFile: writeAll,
      truncate: async (length: number) =>
        this.#writes(() => {
          data().data = data().data.subarray(0, length);
          this.#touch(node, true);
        }),
      datasync: async () => undefined,
      close: async () => {
        this.#handles.delete(fd);
      },
    };
  }

  #reads<Result>(work: () => Result): Result {
    if (!this.#isUser) {
      if (this.writesLeft < 0) {
        throw new KilledError('killed');
      }
      this.#intrude();
    }
    return work();
  }

  #writes<Result>(work: () => Result, half: () => void = () => undefined): Result {
    if (!this.#isUser && this.writesLeft >= 0 && (this.writesLeft -= 1) < 0) {
      half();
    }
    return this.#reads(work);
  }

  #intrude(): void {
    const { intrusion } = this;
    if (intrusion && (intrusion.after -= 1) < 0) {
      this.intrusion = null;
      this.asUser(intrusion.act);
    }
  }

  #make(kind: Node['kind'], mode: number, text = ''): Node {
    // The number of a file that is gone goes to the next new one.
    const ino = this.#freeNumbers.pop() ?? (this.#numbers += 1);
    const now = (this.#clock += 5);
    const facts = { ino, mode, mtimeMs: now, ctimeMs: now, birthtimeMs: now, names: 0 };
    if (kind === 'folder') {
      return { ...facts, kind, entries: new Map() };
    }
    return kind === 'link'
      ? { ...facts, kind, target: text }
      : { ...facts, kind, data: Buffer.from(text) };
  }

  #touch(node: Node, isWritten: boolean): void {
    this.#clock += 5;
    node.ctimeMs = this.#clock;
    node.mtimeMs = isWritten ? this.#clock : node.mtimeMs;
  }

  #enter(parent: FolderNode | null, entry: { key: string; name: string; node: Node }): void {
    this.#mustWrite(parent);
    this.#mustName(entry.name);
    parent?.entries.set(entry.key, { name: this.#kept(entry.name), node: entry.node });
    entry.node.names += 1;
  }

  #leave(parent: FolderNode | null, key: string): void {
    this.#mustWrite(parent);
    const node = parent?.entries.get(key)?.node;
    parent?.entries.delete(key);
    if (node && (node.names -= 1) === 0 && ![...this.#handles.values()].includes(node)) {
      this.#freeNumbers.push(node.ino);
    }
  }

  #holds(folder: FolderNode, inner: FolderNode | null): boolean {
    return (
      folder === inner ||
      [...folder.entries.values()].some(
        ({ node }) => node.kind === 'folder' && this.#holds(node, inner),
      )
    );
  }

  #mustWrite(parent: FolderNode | null): void {
    if (!parent) {
      throw fail('EBUSY', 'the root');
    }
    if (parent !== this.#root && parent.names === 0) {
      throw fail('ENOENT', 'a folder that was removed');
    }
    this.#must(parent, 3);
  }

  #must(node: Node, bits: number): void {
    if ((node.mode & (bits << 6)) !== bits << 6) {
      throw fail('EACCES', node.kind);
    }
  }

  #mustName(name: string): void {
    if (Buffer.byteLength(name) > 255) {
      throw fail('ENAMETOOLONG', name);
    }
    if (this.#kind.reservesNames && (/[<>:"|?*\\]|[. ]$/.test(name) || device.test(name))) {
      throw fail('EINVAL', name);
    }
  }

  #kept(name: string): string {
    return this.#kind.unicode === 'decomposed' ? name.normalize('NFD') : name;
  }

  #keyOf(name: string): string {
    const form = this.#kind.unicode === 'bytes' ? name : name.normalize('NFC');
    return this.#kind.foldsCase ? form.toUpperCase().toLowerCase() : form;
  }

  #existing(path: string, follows: boolean): Node {
    const { node } = this.#find(path, { follows });
    if (!node) {
      throw fail('ENOENT', path);
    }
    return node;
  }

  #file(path: string, bits: number): FileNode {
    const node = this.#existing(path, true);
    if (node.kind !== 'file') {
      throw fail('EISDIR', path);
    }
    this.#must(node, bits);
    return node;
  }

  #find(
    path: string,
    { follows, isFree = false, depth = 0 }: { follows: boolean; isFree?: boolean; depth?: number },
  ): Place {
    const held = /^\/proc\/self\/fd\/(\d+)(.*)$/.exec(path);
    const start = held ? this.#handles.get(Number(held[1])) : this.#root;
    if (!start || depth > 8) {
      throw fail(start ? 'ELOOP' : 'EBADF', path);
    }
    const segments = (held?.[2] ?? path).split('/').filter((part) => part !== '' && part !== '.');
    let place: Place = { parent: null, key: '', name: '', node: start };
    for (const [index, name] of segments.entries()) {
      const folder = place.node;
      if (!folder) {
        throw fail('ENOENT', path);
      }
      if (folder.kind !== 'folder') {
        throw fail('ENOTDIR', path);
      }
      if (!isFree) {
        this.#must(folder, 1);
      }
      const key = this.#keyOf(name);
      place = { parent: folder, key, name, node: folder.entries.get(key)?.node ?? null };
      const isLast = index === segments.length - 1;
      if (place.node?.kind === 'link' && (follows || !isLast)) {
        // The user's links lead to whole paths.
        const rest = segments.slice(index + 1);
        return this.#find([place.node.target, ...rest].join('/'), {
          follows,
          isFree,
          depth: depth + 1,
        });
      }
    }
    return place;
  }
}

const pathsTo = (path: string): string[] =>
  path
    .split('/')
    .filter(Boolean)
    .map((_, index, segments) => `/${segments.slice(0, index + 1).join('/')}`);
