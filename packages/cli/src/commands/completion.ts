import { script } from '@bomb.sh/tab';
import { UsageError } from '../errors.ts';
import { shells } from '../shells.ts';
import { defineCommand } from '../define-command.ts';

/**
 * What the script for bash calls of the package bash-completion, for machines that lack it. The package replaces it
 * when it is loaded later.
 */
const bashFallback = `declare -F _get_comp_words_by_ref >/dev/null || _get_comp_words_by_ref() {
    words=("\${COMP_WORDS[@]}"); cword=$COMP_CWORD; cur=\${words[cword]}; prev=\${words[cword-1]}
}
`;

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
  run: async ({ positionals: [shell = ''] }) => {
    if (!shells.some((each) => each === shell)) {
      throw new UsageError([`the shell must be ${shells.join(', ')}`]);
    }
    if (shell === 'bash') {
      process.stdout.write(bashFallback);
    }
    script(shell, 'commonplace', 'commonplace');
    return 0;
  },
});
