import { randomUUID } from 'node:crypto';
import {
  createClient,
  createMemoryStore,
  openSyncClient,
  type NoteText,
  type SyncClient,
} from '@commonplace/client';
import { folders, modes, names, type AgentStep, type UserStep } from './folder-steps.ts';
import { ModelDisk, type DiskKind } from './model-disk.ts';
import { mount } from './mounted-disk.ts';
import { SimulatedServer } from './simulated-server.ts';

export const root = '/home/notes';
const outside = '/home/outside';

/** A user, an agent and what each of them has done: the rest is what the program did. */
export type FolderModel = {
  readonly disk: ModelDisk;
  readonly server: SimulatedServer;
  readonly agent: SyncClient;
  /** Lines that somebody wrote, each once. */
  readonly written: Set<string>;
  /** Lines that the user or the agent took away, knowingly. */
  readonly removed: Set<string>;
  /** Lines whose files the user did something with. */
  readonly touched: Set<string>;
  /** Lines that files had when they were last seen, by their paths in one form of Unicode. */
  readonly lastAt: Map<string, readonly string[]>;
  /** What the agent wrote last, by the first line of the note. */
  readonly agentTexts: Map<string, NoteText>;
  readonly api: ReturnType<typeof createClient>;
  /** Notes that the agent deleted. */
  readonly agentDeleted: Set<string>;
  /** Every note there ever was on the server. */
  readonly known: Set<string>;
  /** Whether a look was allowed to delete. */
  mayDeleteByNow: boolean;
  /** Whether the program may have left a file with two names: amid a look, or killed in one. */
  mayHaveTwoNames: boolean;
  /** What is outside the root, as the user left it. */
  outsideBefore: string;
  /** Whether the user did something during a look: a file may land in a folder that bears a new name. */
  wasMeanwhile: boolean;
};

export const openModel = async (kind: DiskKind): Promise<FolderModel> => {
  const disk = new ModelDisk(kind);
  mount(disk);
  disk.asUser(() => {
    for (const folder of ['/home', root, outside, `${outside}/folder`]) {
      disk.makeFolder(folder);
    }
    disk.writeText(`${outside}/folder/theirs.md`, 'outside\n');
  });
  const server = new SimulatedServer();
  server.isChecked = false;
  const api = createClient({
    baseUrl: 'http://simulated.test',
    retry: { attempts: 1 },
    fetch: server.fetch,
  });
  const agent = await openSyncClient({ api, store: createMemoryStore() });
  const model: FolderModel = {
    disk,
    server,
    api,
    agent,
    written: new Set(),
    removed: new Set(),
    touched: new Set(),
    lastAt: new Map(),
    agentDeleted: new Set(),
    known: new Set(),
    mayDeleteByNow: false,
    mayHaveTwoNames: false,
    agentTexts: new Map(),
    outsideBefore: '',
    wasMeanwhile: false,
  };
  return Object.assign(model, { outsideBefore: outsideOf(model) });
};

/** All that is not in the root, with its modes. */
export const outsideOf = ({ disk }: FolderModel): string =>
  JSON.stringify(disk.tree('/home').filter(({ path }) => !`${path}/`.startsWith(`${root}/`)));

export const linesOf = (text: string): string[] => text.match(/^line \d+$/gm) ?? [];

type Entry = ReturnType<ModelDisk['tree']>[number];

const isHidden = (path: string): boolean => path.slice(root.length).includes('/.');

/**
 * What the user sees in the root. Hidden files, and our own folder, count as moved out of it. As docs/sync.md says,
 * a file moved to a hidden name counts as deleted: with `--delete` its note is deleted too, like that of a file in the
 * trash.
 */
const shownIn = ({ disk }: FolderModel): Entry[] =>
  disk.tree(root).filter(({ path }) => path !== root && !isHidden(path));

const pick = <Item>(items: readonly Item[], number: number): Item | undefined =>
  items[number % Math.max(1, items.length)];

const newLine = ({ written }: FolderModel): string => {
  const line = `line ${written.size}`;
  written.add(line);
  return line;
};

/** A content of its own; some begin as front matter does. */
const contentFor = (model: FolderModel, number: number): string => {
  const line = newLine(model);
  return (
    pick([`${line}\n`, `---\na: 1\n---\n${line}\n`, `---\n---\n${line}\n`, line], number) ?? line
  );
};

const pathFor = ({ at, to }: UserStep): string => {
  const folder = pick(folders, to) ?? '';
  return `${root}/${folder === '' ? '' : `${folder}/`}${pick(names, at) ?? 'a'}.md`;
};

/** Lines of everything at a path, or behind a link there. */
const linesAt = ({ disk }: FolderModel, path: string): string[] =>
  disk
    .tree(path)
    .filter((entry) => !isHidden(entry.path))
    .flatMap(({ kind, text }) => linesOf(kind === 'link' ? textsBehind(disk, text) : text));

const textsBehind = (disk: ModelDisk, path: string): string =>
  disk
    .tree(path)
    .map(({ text }) => text)
    .join('\n');

/** Does what the user does; what the disk refuses is not done. */
export const userActs = (model: FolderModel, step: UserStep): void => {
  const { disk, removed, touched } = model;
  const shown = shownIn(model);
  const files = shown.filter(({ kind, path }) => kind === 'file' && path.endsWith('.md'));
  const dirs = shown.filter(({ kind }) => kind === 'folder');
  const any = pick(shown, step.at)?.path ?? root;
  const file = pick(files, step.at)?.path;
  rememberPlaces(model);
  const placesBefore = new Set(placesOf(model).keys());
  const [before, beforeAnywhere] = [shownLines(model), anyLines(model)];
  const [beforeInside, outsideBefore] = [insideLines(model), outsideLines(model)];
  const concerned = [any, file ?? root, pathFor(step)];
  const paths = concerned.filter((path) => path !== root);
  const atPaths = new Map(paths.map((path) => [path, linesAt(model, path)]));
  [...atPaths.values()].flat().forEach((line) => touched.add(line));
  const act = actOf(model, step, { any, file, dir: pick(dirs, step.at)?.path });
  disk.asUser(act);
  const [after, afterAnywhere] = [shownLines(model), anyLines(model)];
  // What was hidden is out of the folder, as what was moved elsewhere is.
  [...before].filter((line) => !after.has(line)).forEach((line) => removed.add(line));
  [...beforeAnywhere]
    .filter((line) => !afterAnywhere.has(line))
    .forEach((line) => removed.add(line));
  if (model.mayHaveTwoNames && ['delete', 'hide', 'move out', 'write'].includes(step.do)) {
    // A file that the program moves has two names until the move is done; the user may take either for it.
    // At rest a file has one name, and what is done to it is seen by what is left.
    atPaths.forEach((lines, path) => {
      const left = new Set(linesAt(model, path));
      lines.filter((line) => !left.has(line)).forEach((line) => removed.add(line));
    });
  }
  if (model.mayHaveTwoNames && step.do.startsWith('rename')) {
    // One of the two names was taken behind a link, and so out of the folder; the program ends its move by
    // removing the other.
    const outsideAfter = outsideLines(model);
    [...outsideAfter]
      .filter((line) => !outsideBefore.has(line))
      .forEach((line) => removed.add(line));
  }
  if (step.do !== 'link folder') {
    // What was put behind a link that was there before was moved elsewhere, too.
    const afterInside = insideLines(model);
    [...beforeInside].filter((line) => !afterInside.has(line)).forEach((line) => removed.add(line));
  }
  removeReplaced(model, placesBefore);
  after.forEach((line) => {
    if (!before.has(line)) {
      touched.add(line);
    }
  });
  model.outsideBefore = outsideOf(model);
};

/** The files of the folder itself, and their lines. */
const placesOf = (model: FolderModel): Map<string, readonly string[]> =>
  new Map(
    shownIn(model)
      .filter(({ kind }) => kind === 'file')
      .map(({ path, text }) => [path.normalize('NFC'), linesOf(text)]),
  );

const rememberPlaces = (model: FolderModel): void =>
  placesOf(model).forEach((lines, path) => model.lastAt.set(path, lines));

/**
 * A user who puts another file in the place of one replaces it, like an editor that saves into a new file: the
 * note gets the new text. The old text may be lost, unless a file of the folder still has it; a file behind a link is
 * not in the folder.
 */
const removeReplaced = (model: FolderModel, placesBefore: ReadonlySet<string>): void => {
  const places = placesOf(model);
  const inside = insideLines(model);
  [...places.keys()]
    .filter((path) => !placesBefore.has(path))
    .flatMap((path) => model.lastAt.get(path) ?? [])
    .filter((line) => !inside.has(line))
    .forEach((line) => model.removed.add(line));
  rememberPlaces(model);
};

const shownLines = (model: FolderModel): Set<string> =>
  new Set(shownIn(model).flatMap(({ path }) => linesAt(model, path)));

const insideLines = (model: FolderModel): Set<string> =>
  new Set(shownIn(model).flatMap(({ kind, text }) => (kind === 'file' ? linesOf(text) : [])));

const outsideLines = ({ disk }: FolderModel): Set<string> =>
  new Set(disk.tree(outside).flatMap(({ text }) => linesOf(text)));

const anyLines = ({ disk }: FolderModel): Set<string> =>
  new Set(
    disk
      .tree('/home')
      .filter(({ path }) => !path.includes('/.commonplace/'))
      .flatMap(({ text }) => linesOf(text)),
  );

type Chosen = {
  readonly any: string;
  readonly file: string | undefined;
  readonly dir: string | undefined;
};

/** No note can store it. */
const broken = '\u0000\n';

const actOf = (model: FolderModel, step: UserStep, { any, file, dir }: Chosen): (() => void) => {
  const { disk } = model;
  const { at, to } = step;
  const target = pathFor(step);
  const edit = (path: string, change: (text: string) => string): void =>
    disk.writeText(path, change(disk.readText(path)));
  const makeParent = (path: string): void => {
    path
      .slice(root.length + 1)
      .split('/')
      .slice(0, -1)
      .forEach((_, index, segments) => {
        const folder = `${root}/${segments.slice(0, index + 1).join('/')}`;
        if (disk.tree(folder).length === 0) {
          disk.makeFolder(folder);
        }
      });
  };
  const renameTo = (): void => {
    makeParent(target);
    if (any !== root && disk.tree(target).length === 0) {
      disk.move(any, target.endsWith('.md') && !any.endsWith('.md') ? target.slice(0, -3) : target);
    }
  };
  const acts: Record<UserStep['do'], () => void> = {
    write: () => {
      makeParent(target);
      disk.writeText(target, contentFor(model, at + to));
    },
    append: () => file && edit(file, (text) => `${text.replace(/\n?$/, '\n')}${newLine(model)}\n`),
    'save again': () => {
      if (file) {
        disk.writeText(
          `${file}~`,
          `${disk.readText(file).replace(/\n?$/, '\n')}${newLine(model)}\n`,
        );
        disk.move(`${file}~`, file);
      }
    },
    break: () => file && edit(file, (text) => broken + text),
    rename: renameTo,
    'rename and break': () => {
      if (file) {
        makeParent(target);
        if (disk.tree(target).length === 0) {
          disk.move(file, target);
          edit(target, (text) => broken + text);
        }
      }
    },
    delete: () => any !== root && disk.remove(any),
    'link folder': () => {
      if (dir) {
        disk.move(dir, `${outside}/linked ${at} ${to}`);
        disk.makeLink(`${outside}/linked ${at} ${to}`, to % 3 === 0 ? `${dir}-linked` : dir);
      }
    },
    'link file': () => {
      makeParent(target);
      disk.makeLink(
        `${outside}/folder${to % 2 ? '/theirs.md' : ''}`,
        target.slice(0, to % 2 ? undefined : -3),
      );
    },
    'copy by link': () => {
      makeParent(target);
      if (file) {
        disk.linkFile(file, target);
      }
    },
    'move out': () => any !== root && disk.move(any, `${outside}/moved ${to}`),
    'make folder': () => {
      makeParent(target);
      disk.makeFolder(target);
    },
    'put file in way': () => {
      makeParent(target);
      disk.writeText(target.slice(0, -3), `${newLine(model)}\n`);
    },
    'change mode': () => disk.changeMode(any === root ? target : any, pick(modes, to) ?? 0o644),
    hide: () => any !== root && disk.move(any, `${root}/.hidden ${to}`),
  };
  return acts[step.do];
};

/**
 * A folder that the user moves while a file is put into it takes the file along: this cannot be distinguished
 * from a move right after it.
 */
export const takeAlong = (model: FolderModel): void => {
  const shown = shownLines(model);
  [...anyLines(model)]
    .filter((line) => !shown.has(line))
    .forEach((line) => model.removed.add(line));
  const isSolid = ({ path }: Entry): boolean => !/^\/home\/outside\/(?:moved|linked) /.test(path);
  const before = (JSON.parse(model.outsideBefore) as Entry[]).filter(isSolid);
  const now = (JSON.parse(outsideOf(model)) as Entry[]).filter(isSolid);
  if (JSON.stringify(before) === JSON.stringify(now)) {
    model.outsideBefore = outsideOf(model);
  }
};

/** Does what the agent does, at once and on what the server has now. */
export const agentActs = async (model: FolderModel, step: AgentStep): Promise<void> => {
  const { agent, removed, agentTexts } = model;
  await agent.synchronise();
  const note = pick(agent.notes(), step.at);
  const place = { title: pick(names, step.at) ?? 'a', folder: pick(folders, step.to) ?? '' };
  const write = async (id: string, text: NoteText): Promise<void> => {
    const [first = ''] = linesOf(text.content);
    agentTexts.set(first, text);
    await agent.edit([{ id, text }]);
  };
  if (step.do === 'agent writes') {
    const properties = { version: '1.10', account: '12345678901234567890', ratio: 0.5, '': null };
    const content = contentFor(model, step.at * 7 + step.to);
    await write(randomUUID(), {
      ...place,
      content,
      tags: step.to % 2 ? ['x'] : [],
      pinned: false,
      archived: false,
      properties: step.at % 2 ? properties : {},
    });
  } else if (note && step.do === 'agent appends') {
    const content = `${note.text.content.replace(/\n?$/, '\n')}${newLine(model)}\n`;
    await write(note.id, { ...note.text, content });
  } else if (note && step.do === 'agent moves') {
    await write(note.id, { ...note.text, ...place });
  } else if (note) {
    linesOf(note.text.content).forEach((line) => removed.add(line));
    model.agentDeleted.add(note.id);
    await agent.edit([{ id: note.id, text: null }]);
  }
  await agent.synchronise();
};
