/**
 * The SHA-256 of files and of all files below folders, which `names` gives relative to `root`; missing ones are left
 * out. Takes a few milliseconds: every `pnpm start` computes it.
 */
export declare const digestFiles: (root: string, names: readonly string[]) => Promise<string>;
