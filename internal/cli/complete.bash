# Completion of PROGRAM for bash: source <(PROGRAM completion bash)
_PROGRAM_complete() {
  local line=${COMP_LINE:0:COMP_POINT} own skip='' candidate quoted
  local -a words
  read -ra words <<<"$line"
  [[ $line == *[[:space:]] ]] && words+=('')
  own=${words[${#words[@]}-1]}
  # bash completes behind : and = what it takes for a word of its own
  [[ $COMP_WORDBREAKS == *:* && $own == *:* ]] && skip=${own%"${own##*:}"}
  [[ $COMP_WORDBREAKS == *=* && ${own#"$skip"} == *=* ]] && skip=${own%"${own##*=}"}
  COMPREPLY=()
  while IFS=$'\t' read -r candidate _; do
    if [[ $candidate == :files ]]; then
      compopt -o default
      return
    fi
    printf -v quoted %q "${candidate#"$skip"}"
    COMPREPLY+=("$quoted")
  done < <(command "${words[0]}" __complete "${words[@]:1}" 2>/dev/null)
  [[ ${#COMPREPLY[@]} == 1 && ${COMPREPLY[0]} == *= ]] && compopt -o nospace
  return 0
}
complete -F _PROGRAM_complete PROGRAM
