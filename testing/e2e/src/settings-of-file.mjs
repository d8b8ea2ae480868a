import { readFileSync } from 'node:fs';

/*
 * Loaded into a process of a test system with `--import` and the path of a JSON file as its query: sets the variables in that file,
 * so that a test changes settings of a process as an operator does, by a restart.
 */

const path = decodeURIComponent(new URL(import.meta.url).search.slice(1));
Object.assign(process.env, JSON.parse(readFileSync(path, 'utf8')));
