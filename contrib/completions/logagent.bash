# Completion of logagent for bash, made by 'logagent completions bash' from its flag table.

# Names out of the store that the command line is about. Not by compgen, which would run what
# stands in a name between $( and ).
_logagent_stored() {
  local name rest
  while IFS=$'\t' read -r name rest; do
    [[ $name == "$cur"* ]] && COMPREPLY+=("$(printf %q "$name")")
  done < <(logagent complete-values "$1" "${store[@]}" 2>/dev/null)
}

_logagent_words() { COMPREPLY=($(compgen -W "$1" -- "$cur")); }

_logagent_files() {
  local IFS=$'\n'
  compopt -o filenames 2>/dev/null
  COMPREPLY=($(compgen "$1" -- "$cur"))
}

_logagent() {
  local cur=${COMP_WORDS[COMP_CWORD]} prev='' first='' command='' word i
  local -a store=()
  COMPREPLY=()
  for ((i = 1; i < COMP_CWORD; i++)); do
    word=${COMP_WORDS[i]}
    case $word in
      --config|--database|--state-dir)
        # Bash takes '=' for a word of its own.
        [[ ${COMP_WORDS[i + 1]} == '=' ]] && ((i++))
        ((++i < COMP_CWORD)) && store+=("$word" "${COMP_WORDS[i]}") ;;
      -* | =) ;;
      *)
        if [[ -z $first ]]; then
          first=$word command=$word
        elif [[ $command == "$first" ]]; then
          case "$first $word" in
            'crash show' | 'bundle diff') command="$first $word" ;;
          esac
        fi ;;
    esac
  done
  prev=${COMP_WORDS[COMP_CWORD - 1]}
  [[ $cur == '=' ]] && cur=''
  [[ $prev == '=' ]] && prev=${COMP_WORDS[COMP_CWORD - 2]}
  case $command in
    '')
      case $prev in
        --config) _logagent_files -f; return ;;
        --state-dir) _logagent_files -d; return ;;
      esac
      _logagent_words 'init run import exec show stats query crashes crash status doctor metrics export verify upload bundle redactions formats explain cat audit prune check-config retime completions help --version --config --state-dir --help' ;;
    'init')
      case $prev in
        -o | --output) _logagent_files -f; return ;;
        --root) _logagent_files -d; return ;;
        --config) _logagent_files -f; return ;;
        --state-dir) _logagent_files -d; return ;;
      esac
      if [[ $cur == -* ]]; then
        _logagent_words '--output --force --root --config --state-dir --help'
      else
        :
      fi ;;
    'run')
      case $prev in
        --config) _logagent_files -f; return ;;
        --state-dir) _logagent_files -d; return ;;
      esac
      if [[ $cur == -* ]]; then
        _logagent_words '--config --state-dir --help'
      else
        _logagent_files -f
      fi ;;
    'import')
      case $prev in
        --config) _logagent_files -f; return ;;
        --state-dir) _logagent_files -d; return ;;
      esac
      if [[ $cur == -* ]]; then
        _logagent_words '--config --state-dir --help'
      else
        _logagent_files -f
      fi ;;
    'exec')
      case $prev in
        -n | --name) :; return ;;
        --log-dir) _logagent_files -d; return ;;
        --spool) _logagent_files -d; return ;;
        --config) _logagent_files -f; return ;;
        --state-dir) _logagent_files -d; return ;;
      esac
      if [[ $cur == -* ]]; then
        _logagent_words '--name --log-dir --spool --quiet --config --state-dir --help'
      else
        _logagent_files -c
      fi ;;
    'show')
      case $prev in
        -S | --since) :; return ;;
        -U | --until) :; return ;;
        -p | --severity) _logagent_words 'trace debug info warn error fatal'; return ;;
        -s | --source) _logagent_stored sources; return ;;
        --process) _logagent_stored processes; return ;;
        -g | --grep) :; return ;;
        -n | --lines) :; return ;;
        -o | --output) _logagent_words 'short full json cat verbose'; return ;;
        --database) _logagent_files -f; return ;;
        --bundle) _logagent_files -f; return ;;
        --config) _logagent_files -f; return ;;
        --state-dir) _logagent_files -d; return ;;
      esac
      if [[ $cur == -* ]]; then
        _logagent_words '--since --until --severity --source --process --grep --lines --follow --output --no-pager --local --database --bundle --config --state-dir --help'
      else
        :
      fi ;;
    'stats')
      case $prev in
        -S | --since) :; return ;;
        -U | --until) :; return ;;
        -s | --source) _logagent_stored sources; return ;;
        --top) :; return ;;
        --database) _logagent_files -f; return ;;
        --bundle) _logagent_files -f; return ;;
        --config) _logagent_files -f; return ;;
        --state-dir) _logagent_files -d; return ;;
      esac
      if [[ $cur == -* ]]; then
        _logagent_words '--since --until --source --top --no-pager --database --bundle --config --state-dir --help'
      else
        :
      fi ;;
    'query')
      case $prev in
        -f | --format) _logagent_words 'table csv json tsv'; return ;;
        -t | --timeout) :; return ;;
        -s | --saved) _logagent_stored queries; return ;;
        --database) _logagent_files -f; return ;;
        --bundle) _logagent_files -f; return ;;
        --config) _logagent_files -f; return ;;
        --state-dir) _logagent_files -d; return ;;
      esac
      if [[ $cur == -* ]]; then
        _logagent_words '--format --timeout --saved --list --help-schema --raw --no-pager --database --bundle --config --state-dir --help'
      else
        :
      fi ;;
    'crashes')
      case $prev in
        -S | --since) :; return ;;
        -U | --until) :; return ;;
        --process) _logagent_stored processes; return ;;
        --last-run) _logagent_stored processes; return ;;
        -f | --format) _logagent_words 'table csv json tsv'; return ;;
        --database) _logagent_files -f; return ;;
        --bundle) _logagent_files -f; return ;;
        --config) _logagent_files -f; return ;;
        --state-dir) _logagent_files -d; return ;;
      esac
      if [[ $cur == -* ]]; then
        _logagent_words '--since --until --process --last-run --ack --format --no-pager --database --bundle --config --state-dir --help'
      else
        :
      fi ;;
    'crash show')
      case $prev in
        --context) :; return ;;
        -f | --format) _logagent_words 'text json apple raw'; return ;;
        --database) _logagent_files -f; return ;;
        --bundle) _logagent_files -f; return ;;
        --config) _logagent_files -f; return ;;
        --state-dir) _logagent_files -d; return ;;
      esac
      if [[ $cur == -* ]]; then
        _logagent_words '--context --format --no-pager --database --bundle --config --state-dir --help'
      else
        _logagent_stored crashes
      fi ;;
    'status')
      case $prev in
        --database) _logagent_files -f; return ;;
        --config) _logagent_files -f; return ;;
        --state-dir) _logagent_files -d; return ;;
      esac
      if [[ $cur == -* ]]; then
        _logagent_words '--json --database --config --state-dir --help'
      else
        :
      fi ;;
    'doctor')
      case $prev in
        --root) _logagent_files -d; return ;;
        --config) _logagent_files -f; return ;;
        --state-dir) _logagent_files -d; return ;;
      esac
      if [[ $cur == -* ]]; then
        _logagent_words '--quiet --json --root --config --state-dir --help'
      else
        :
      fi ;;
    'metrics')
      case $prev in
        -o | --output) _logagent_files -f; return ;;
        --listen) _logagent_files -f; return ;;
        --database) _logagent_files -f; return ;;
        --config) _logagent_files -f; return ;;
        --state-dir) _logagent_files -d; return ;;
      esac
      if [[ $cur == -* ]]; then
        _logagent_words '--output --listen --database --config --state-dir --help'
      else
        :
      fi ;;
    'export')
      case $prev in
        -S | --since) :; return ;;
        -U | --until) :; return ;;
        -p | --severity) _logagent_words 'trace debug info warn error fatal'; return ;;
        -s | --source) _logagent_stored sources; return ;;
        --process) _logagent_stored processes; return ;;
        -g | --grep) :; return ;;
        --sql) :; return ;;
        --crash) _logagent_stored crashes; return ;;
        --context) :; return ;;
        -o | --output) _logagent_files -f; return ;;
        -f | --format) _logagent_words 'bundle otlp perfetto'; return ;;
        --max-size) :; return ;;
        --logs-db) :; return ;;
        --database) _logagent_files -f; return ;;
        --config) _logagent_files -f; return ;;
        --state-dir) _logagent_files -d; return ;;
      esac
      if [[ $cur == -* ]]; then
        _logagent_words '--since --until --severity --source --process --grep --sql --last-crash --crash --context --since-last-upload --output --format --max-size --logs-db --include-dumps --no-redact --preview --database --config --state-dir --help'
      else
        :
      fi ;;
    'verify')
      case $prev in
        --config) _logagent_files -f; return ;;
        --state-dir) _logagent_files -d; return ;;
      esac
      if [[ $cur == -* ]]; then
        _logagent_words '--config --state-dir --help'
      else
        _logagent_files -f
      fi ;;
    'upload')
      case $prev in
        --url) :; return ;;
        --method) :; return ;;
        --token) :; return ;;
        --ca) _logagent_files -f; return ;;
        --timeout) :; return ;;
        --retry-for) :; return ;;
        --config) _logagent_files -f; return ;;
        --state-dir) _logagent_files -d; return ;;
      esac
      if [[ $cur == -* ]]; then
        _logagent_words '--url --method --token --ca --timeout --retry-for --wait --retry --automatic --status --json --config --state-dir --help'
      else
        _logagent_files -f
      fi ;;
    'bundle diff')
      case $prev in
        --config) _logagent_files -f; return ;;
        --state-dir) _logagent_files -d; return ;;
      esac
      if [[ $cur == -* ]]; then
        _logagent_words '--json --config --state-dir --help'
      else
        :
      fi ;;
    'redactions')
      case $prev in
        --reveal) :; return ;;
        --config) _logagent_files -f; return ;;
        --state-dir) _logagent_files -d; return ;;
      esac
      if [[ $cur == -* ]]; then
        _logagent_words '--reveal --config --state-dir --help'
      else
        _logagent_files -f
      fi ;;
    'formats')
      case $prev in
        --import) _logagent_files -f; return ;;
        --config) _logagent_files -f; return ;;
        --state-dir) _logagent_files -d; return ;;
      esac
      if [[ $cur == -* ]]; then
        _logagent_words '--list --markdown --import --config --state-dir --help'
      else
        _logagent_files -f
      fi ;;
    'explain')
      case $prev in
        --database) _logagent_files -f; return ;;
        --config) _logagent_files -f; return ;;
        --state-dir) _logagent_files -d; return ;;
      esac
      if [[ $cur == -* ]]; then
        _logagent_words '--database --config --state-dir --help'
      else
        :
      fi ;;
    'cat')
      case $prev in
        --source) :; return ;;
        --database) _logagent_files -f; return ;;
        --config) _logagent_files -f; return ;;
        --state-dir) _logagent_files -d; return ;;
      esac
      if [[ $cur == -* ]]; then
        _logagent_words '--source --compare --database --config --state-dir --help'
      else
        _logagent_files -f
      fi ;;
    'audit')
      case $prev in
        --database) _logagent_files -f; return ;;
        --config) _logagent_files -f; return ;;
        --state-dir) _logagent_files -d; return ;;
      esac
      if [[ $cur == -* ]]; then
        _logagent_words '--all --database --config --state-dir --help'
      else
        :
      fi ;;
    'prune')
      case $prev in
        --max-bytes) :; return ;;
        --max-age) :; return ;;
        --config) _logagent_files -f; return ;;
        --state-dir) _logagent_files -d; return ;;
      esac
      if [[ $cur == -* ]]; then
        _logagent_words '--max-bytes --max-age --config --state-dir --help'
      else
        :
      fi ;;
    'check-config')
      case $prev in
        --config) _logagent_files -f; return ;;
        --state-dir) _logagent_files -d; return ;;
      esac
      if [[ $cur == -* ]]; then
        _logagent_words '--quiet --no-pager --config --state-dir --help'
      else
        :
      fi ;;
    'retime')
      case $prev in
        -s | --source) _logagent_stored sources; return ;;
        -z | --zone) :; return ;;
        --from) :; return ;;
        --database) _logagent_files -f; return ;;
        --config) _logagent_files -f; return ;;
        --state-dir) _logagent_files -d; return ;;
      esac
      if [[ $cur == -* ]]; then
        _logagent_words '--source --zone --from --dry-run --database --config --state-dir --help'
      else
        :
      fi ;;
    'completions')
      case $prev in
        --config) _logagent_files -f; return ;;
        --state-dir) _logagent_files -d; return ;;
      esac
      if [[ $cur == -* ]]; then
        _logagent_words '--config --state-dir --help'
      else
        _logagent_words 'bash zsh fish'
      fi ;;
    'crash') _logagent_words 'show' ;;
    'bundle') _logagent_words 'diff' ;;
  esac
}

complete -F _logagent logagent
