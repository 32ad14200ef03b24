#compdef PROGRAM
# Completion of PROGRAM for zsh: source <(PROGRAM completion zsh), or as the file _PROGRAM in a folder of $fpath
_PROGRAM() {
  local -a lines values shown
  local line
  lines=("${(@f)$(command $words[1] __complete "${(@)words[2,CURRENT]}" 2>/dev/null)}")
  for line in $lines; do
    if [[ $line == :files* ]]; then
      _files
      return
    fi
    values+=("${line%%$'\t'*}")
    shown+=("${line/$'\t'/  }")
  done
  (( $#values )) || return 1
  if [[ $#values == 1 && $values[1] == *= ]]; then
    compadd -S '' -a values
  else
    compadd -l -d shown -a values
  fi
}
if [[ $zsh_eval_context[-1] == loadautofunc ]]; then
  _PROGRAM "$@"
else
  compdef _PROGRAM PROGRAM
fi
