import type { shells } from './shells.ts';

/*
 * The scripts that complete words in the shells. Names of files come from anyone who writes to a synchronised folder,
 * so they never become code: they are only ever values of variables, and are quoted before they are inserted.
 */

/**
 * `read -r` takes lines as they are, and `printf %q` quotes them. Without what bash 3 of macOS lacks. Inside quotes that were opened already,
 * `%q` would add backslashes to the name, so there only the characters are escaped that end the quotes or are
 * expanded in them. Bash splits words at `=` and `:`, and inserts only what follows the last one.
 */
const bash = `_commonplace() {
    local LC_ALL=C.UTF-8 IFS=$' \\t\\n' cur=\${COMP_WORDS[COMP_CWORD]} line quoted typed
    local -a words=()
    local -i at
    COMPREPLY=()
    for ((at = 1; at <= COMP_CWORD; at++)); do
        if ((at > 1 && \${#words[@]} > 0)) && [[ \${COMP_WORDS[at]} == = || \${COMP_WORDS[at]} == : ||
            \${COMP_WORDS[at - 1]} == = || \${COMP_WORDS[at - 1]} == : ]]; then
            words[\${#words[@]} - 1]+=\${COMP_WORDS[at]}
        else
            words+=("\${COMP_WORDS[at]}")
        fi
    done
    typed=\${words[\${#words[@]} - 1]}
    [[ $cur == = || $cur == : ]] && cur=
    typed=\${typed:0:\${#typed} - \${#cur}}
    while IFS= read -r line; do
        [[ $line == :* ]] && continue
        line=\${line%%$'\\t'*}
        line=\${line#"$typed"}
        case $cur in
        \\'*) quoted=\${line//\\'/\\'\\\\\\'\\'} ;;
        \\"*)
            [[ $line == *'!'* ]] && continue
            quoted=\${line//\\\\/\\\\\\\\}
            quoted=\${quoted//\\"/\\\\\\"}
            quoted=\${quoted//\\$/\\\\$}
            quoted=\${quoted//\\\`/\\\\\\\`}
            ;;
        *)
            printf -v quoted %q "$line"
            [[ $line == '~/'* ]] && quoted="~\${quoted#\\\\~}"
            ;;
        esac
        COMPREPLY+=("$quoted")
    done < <(command commonplace complete -- "\${words[@]}" 2>/dev/null)
    [[ \${#COMPREPLY[@]} -eq 1 && \${COMPREPLY[0]} == */ ]] && compopt -o nospace 2>/dev/null
    return 0
}
complete -o nosort -F _commonplace commonplace 2>/dev/null || complete -F _commonplace commonplace
`;

/** `compadd` and `_files` quote what they insert. The options of the user's shell do not apply inside. */
const zsh = `#compdef commonplace
_commonplace() {
    emulate -L zsh
    setopt extended_glob no_glob_subst
    local line value
    local -a lines values displays
    lines=("\${(@f)$(command commonplace complete -- "\${(@)words[2,CURRENT]}" 2>/dev/null)}")
    if [[ $lines[1] == :(files|folders) ]]; then
        [[ $PREFIX == --[a-z-]##=* ]] && compset -P 1 '*='
        if [[ $lines[1] == :folders ]]; then _files -/; else _files; fi
        return
    fi
    for line in "\${(@)lines}"; do
        value=\${line%%$'\\t'*}
        [[ -n $value ]] || continue
        values+=("$value")
        displays+=("\${line/$'\\t'/  -- }")
    done
    (( $#values )) && compadd -l -d displays -a values
}
(( $+functions[compdef] )) || { autoload -Uz compinit && compinit; }
compdef _commonplace commonplace
`;

/** fish quotes what it inserts. A command substitution is split into lines, and not expanded again. */
const fish = `function __commonplace_complete
    set -l words (commandline -opc)
    set -l current (commandline -ct)
    for line in (command commonplace complete -- $words[2..-1] "$current" 2>/dev/null)
        string match -q -- ':*' $line; or printf '%s\\n' $line
    end
end
complete -c commonplace -e
complete -c commonplace -f -k -a '(__commonplace_complete)'
`;

/** The scripts by shell. */
export const completionScripts: Readonly<Record<(typeof shells)[number], string>> = {
  bash,
  zsh,
  fish,
};
