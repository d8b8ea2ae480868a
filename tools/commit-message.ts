import { readFileSync } from 'node:fs';
import { findMessageFaults } from './commit-message/find-message-faults.ts';

/*
 * git's commit-msg hook: refuses a message that is not a conventional commit, such as
 * `feat(notes): merge edits of the same note line by line`.
 */
const [, , file] = process.argv;
if (file === undefined) {
  console.error('usage: node tools/commit-message.ts <file with the message>');
  process.exit(2);
}

const faults = findMessageFaults(readFileSync(file, 'utf8'));
for (const fault of faults) {
  console.error(`commit message: ${fault}`);
}
process.exitCode = faults.length > 0 ? 1 : 0;
