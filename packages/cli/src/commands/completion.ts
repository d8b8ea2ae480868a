import { completionScripts } from '../completion-scripts.ts';
import { UsageError } from '../errors.ts';
import { shells } from '../shells.ts';
import { defineCommand } from '../define-command.ts';

/** `commonplace completion`: the script that lets a shell complete commands and options. */
export const completion = defineCommand({
  name: 'completion',
  usage: shells.join('|'),
  about: `Prints the script that lets the shell complete commands and options. In every shell:
 bash  echo 'source <(commonplace completion bash)' >> ~/.bashrc
 zsh   echo 'source <(commonplace completion zsh)' >> ~/.zshrc
 fish  echo 'commonplace completion fish | source' >> ~/.config/fish/config.fish`,
  positionals: { min: 1, max: 1 },
  flags: {},
  run: async ({ positionals: [name = ''] }) => {
    const shell = shells.find((each) => each === name);
    if (shell === undefined) {
      throw new UsageError([`the shell must be ${shells.join(', ')}`]);
    }
    process.stdout.write(completionScripts[shell]);
    return 0;
  },
});
