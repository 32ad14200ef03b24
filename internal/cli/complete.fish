# Completion of PROGRAM for fish: PROGRAM completion fish | source
function __PROGRAM_complete
    set -l words (commandline -opc) (commandline -ct)
    set -l lines (command $words[1] __complete $words[2..-1] 2>/dev/null)
    if string match -q ':files*' -- $lines[1]
        __fish_complete_path (commandline -ct)
    else
        printf '%s\n' $lines
    end
end
complete -c PROGRAM -f -a '(__PROGRAM_complete)'
