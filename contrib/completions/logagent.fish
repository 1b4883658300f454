# Completion of logagent for fish, made by 'logagent completions fish' from its flag table.

# The words of the command line that are neither flags nor their values.
function __logagent_plain_words
    set -l skip 0
    for word in (commandline -opc)[2..-1]
        if test $skip = 1
            set skip 0
            continue
        end
        switch $word
            case --output -o --root --config --state-dir --name --log-dir --spool --since -S --until -U --severity -p --source -s --process --grep -g --lines --database --bundle --top --format --timeout -t --saved --last-run --context --listen --sql --crash --max-size --logs-db --url --method --token --ca --retry-for --reveal --import --max-bytes --max-age --zone -z --from
                set skip 1
            case '-*'
            case '*'
                echo -- $word
        end
    end
end

# Whether the command is the one named, of one word or two.
function __logagent_is
    set -l plain (__logagent_plain_words)
    if test (count $argv) = 2
        test "$plain[1] $plain[2]" = "$argv"
    else
        test "$plain[1]" = "$argv[1]"; and not contains -- "$plain[1..2]" 'crash show' 'bundle diff'
    end
end

function __logagent_has_no_command
    test (count (__logagent_plain_words)) = 0
end

function __logagent_has_only
    test "$(__logagent_plain_words)" = "$argv[1]"
end

# Names out of the store that the command line is about.
function __logagent_stored
    set -l store
    set -l take 0
    for word in (commandline -opc)
        if test $take = 1; or string match -qr '^--(config|database|state-dir)=' -- $word
            set -a store $word
            set take 0
        else if contains -- $word --config --database --state-dir
            set -a store $word
            set take 1
        end
    end
    logagent complete-values $argv[1] $store 2>/dev/null
end

complete -c logagent -f
complete -c logagent -n __logagent_has_no_command -l config -r -F -d 'Read the configuration from FILE'
complete -c logagent -n __logagent_has_no_command -l state-dir -x -a '(__fish_complete_directories)' -d 'Where the store lies'
complete -c logagent -n __logagent_has_no_command -s h -l help -d 'Show this help; -h without the explanations'
complete -c logagent -n __logagent_has_no_command -s V -l version -d 'Show the version'
complete -c logagent -n __logagent_has_no_command -a init -d 'write a first configuration for this host'
complete -c logagent -n __logagent_has_no_command -a run -d 'follow log files and crash spools'
complete -c logagent -n __logagent_has_no_command -a import -d 'read log files and crash reports once'
complete -c logagent -n __logagent_has_no_command -a exec -d 'run a program, capture its output and how it ends'
complete -c logagent -n __logagent_has_no_command -a show -d 'show records of all sources by time'
complete -c logagent -n __logagent_has_no_command -a stats -d 'count records by source, severity, time and message'
complete -c logagent -n __logagent_has_no_command -a query -d 'answer a question in SQL'
complete -c logagent -n __logagent_has_no_command -a crashes -d 'list the crashes'
complete -c logagent -n __logagent_has_no_command -a crash -d 'show a crash and the records around it'
complete -c logagent -n __logagent_has_no_command -a status -d 'tell what is stored, and what is wrong'
complete -c logagent -n __logagent_has_no_command -a doctor -d 'look for what is wrong on this host, with remedies'
complete -c logagent -n __logagent_has_no_command -a metrics -d 'tell the status to Prometheus, as a file or on a socket'
complete -c logagent -n __logagent_has_no_command -a export -d 'write a support bundle: logs and crashes of a range'
complete -c logagent -n __logagent_has_no_command -a verify -d 'check the sums and the structure of a support bundle'
complete -c logagent -n __logagent_has_no_command -a upload -d 'send bundles to your server'
complete -c logagent -n __logagent_has_no_command -a bundle -d 'tell what differs between two support bundles'
complete -c logagent -n __logagent_has_no_command -a redactions -d 'tell what a support bundle masks'
complete -c logagent -n __logagent_has_no_command -a formats -d 'show what files are taken for, and why'
complete -c logagent -n __logagent_has_no_command -a explain -d 'tell where a record came from, and why it is as it is'
complete -c logagent -n __logagent_has_no_command -a cat -d 'write a log file again from the store'
complete -c logagent -n __logagent_has_no_command -a audit -d 'account for every byte of every log file'
complete -c logagent -n __logagent_has_no_command -a prune -d 'delete what is beyond the retention rule'
complete -c logagent -n __logagent_has_no_command -a check-config -d 'check the configuration and show what it means'
complete -c logagent -n __logagent_has_no_command -a retime -d 'mend the times of a source that has no zone in them'
complete -c logagent -n __logagent_has_no_command -a completions -d 'print what makes a shell complete command lines'
complete -c logagent -n '__logagent_has_only crash' -a show -d 'show a crash and the records around it'
complete -c logagent -n '__logagent_has_only bundle' -a diff -d 'tell what differs between two support bundles'

# init
complete -c logagent -n '__logagent_is init' -s o -l output -r -F -d 'Write FILE; - is standard output'
complete -c logagent -n '__logagent_is init' -l force -d 'Replace a file that is there'
complete -c logagent -n '__logagent_is init' -l root -x -a '(__fish_complete_directories)' -d 'Look at the host whose file system lies in DIR'
complete -c logagent -n '__logagent_is init' -l config -r -F -d 'Read the configuration from FILE'
complete -c logagent -n '__logagent_is init' -l state-dir -x -a '(__fish_complete_directories)' -d 'Where the store lies'
complete -c logagent -n '__logagent_is init' -s h -l help -d 'Show this help; -h without the explanations'

# run
complete -c logagent -n '__logagent_is run' -l config -r -F -d 'Read the configuration from FILE'
complete -c logagent -n '__logagent_is run' -l state-dir -x -a '(__fish_complete_directories)' -d 'Where the store lies'
complete -c logagent -n '__logagent_is run' -s h -l help -d 'Show this help; -h without the explanations'
complete -c logagent -n '__logagent_is run' -F

# import
complete -c logagent -n '__logagent_is import' -l config -r -F -d 'Read the configuration from FILE'
complete -c logagent -n '__logagent_is import' -l state-dir -x -a '(__fish_complete_directories)' -d 'Where the store lies'
complete -c logagent -n '__logagent_is import' -s h -l help -d 'Show this help; -h without the explanations'
complete -c logagent -n '__logagent_is import' -F

# exec
complete -c logagent -n '__logagent_is exec' -s n -l name -x -d 'What the process is called (the program\'s name)'
complete -c logagent -n '__logagent_is exec' -l log-dir -x -a '(__fish_complete_directories)' -d 'Where its log files go (logs)'
complete -c logagent -n '__logagent_is exec' -l spool -x -a '(__fish_complete_directories)' -d 'Where its crash reports go (the log folder\'s spool)'
complete -c logagent -n '__logagent_is exec' -s q -l quiet -d 'Do not pass the output on as well'
complete -c logagent -n '__logagent_is exec' -l config -r -F -d 'Read the configuration from FILE'
complete -c logagent -n '__logagent_is exec' -l state-dir -x -a '(__fish_complete_directories)' -d 'Where the store lies'
complete -c logagent -n '__logagent_is exec' -s h -l help -d 'Show this help; -h without the explanations'
complete -c logagent -n '__logagent_is exec' -a '(__fish_complete_command)'

# show
complete -c logagent -n '__logagent_is show' -s S -l since -x -d 'From this time on, which is included'
complete -c logagent -n '__logagent_is show' -s U -l until -x -d 'Up to this time, which is included'
complete -c logagent -n '__logagent_is show' -s p -l severity -x -a 'trace debug info warn error fatal' -d 'Of at least this severity: debug, info, warn…'
complete -c logagent -n '__logagent_is show' -s s -l source -x -a '(__logagent_stored sources)' -d 'Of this source; may be repeated'
complete -c logagent -n '__logagent_is show' -l process -x -a '(__logagent_stored processes)' -d 'Of this process, by name or id; may be repeated'
complete -c logagent -n '__logagent_is show' -s g -l grep -x -d 'Whose text matches, in Perl\'s syntax'
complete -c logagent -n '__logagent_is show' -s n -l lines -x -d 'Only the last N records'
complete -c logagent -n '__logagent_is show' -s f -l follow -d 'Go on with new records as they are stored'
complete -c logagent -n '__logagent_is show' -s o -l output -x -a 'short full json cat verbose' -d 'short, full, json, cat (the body alone) or verbose'
complete -c logagent -n '__logagent_is show' -l no-pager -d 'Never show the output in a pager'
complete -c logagent -n '__logagent_is show' -l local -d 'Show times in this host\'s zone instead of UTC'
complete -c logagent -n '__logagent_is show' -l database -r -F -d 'Read this store, such as logs.db of a bundle'
complete -c logagent -n '__logagent_is show' -l bundle -r -F -d 'Read the store in this support bundle'
complete -c logagent -n '__logagent_is show' -l config -r -F -d 'Read the configuration from FILE'
complete -c logagent -n '__logagent_is show' -l state-dir -x -a '(__fish_complete_directories)' -d 'Where the store lies'
complete -c logagent -n '__logagent_is show' -s h -l help -d 'Show this help; -h without the explanations'

# stats
complete -c logagent -n '__logagent_is stats' -s S -l since -x -d 'From this time on, which is included'
complete -c logagent -n '__logagent_is stats' -s U -l until -x -d 'Up to this time, which is included'
complete -c logagent -n '__logagent_is stats' -s s -l source -x -a '(__logagent_stored sources)' -d 'Of this source; may be repeated'
complete -c logagent -n '__logagent_is stats' -l top -x -d 'So many of the most frequent messages (10)'
complete -c logagent -n '__logagent_is stats' -l no-pager -d 'Never show the output in a pager'
complete -c logagent -n '__logagent_is stats' -l database -r -F -d 'Read this store, such as logs.db of a bundle'
complete -c logagent -n '__logagent_is stats' -l bundle -r -F -d 'Read the store in this support bundle'
complete -c logagent -n '__logagent_is stats' -l config -r -F -d 'Read the configuration from FILE'
complete -c logagent -n '__logagent_is stats' -l state-dir -x -a '(__fish_complete_directories)' -d 'Where the store lies'
complete -c logagent -n '__logagent_is stats' -s h -l help -d 'Show this help; -h without the explanations'

# query
complete -c logagent -n '__logagent_is query' -s f -l format -x -a 'table csv json tsv' -d 'table, csv, json (an object a line) or tsv'
complete -c logagent -n '__logagent_is query' -s t -l timeout -x -d 'Stop after so long, such as 30s or 5m'
complete -c logagent -n '__logagent_is query' -s s -l saved -x -a '(__logagent_stored queries)' -d 'Ask the saved query NAME'
complete -c logagent -n '__logagent_is query' -l list -d 'List the saved queries'
complete -c logagent -n '__logagent_is query' -l help-schema -d 'Show the views and their columns'
complete -c logagent -n '__logagent_is query' -l raw -d 'In CSV, leave text as it is that a spreadsheet would run'
complete -c logagent -n '__logagent_is query' -l no-pager -d 'Never show the output in a pager'
complete -c logagent -n '__logagent_is query' -l database -r -F -d 'Read this store, such as logs.db of a bundle'
complete -c logagent -n '__logagent_is query' -l bundle -r -F -d 'Read the store in this support bundle'
complete -c logagent -n '__logagent_is query' -l config -r -F -d 'Read the configuration from FILE'
complete -c logagent -n '__logagent_is query' -l state-dir -x -a '(__fish_complete_directories)' -d 'Where the store lies'
complete -c logagent -n '__logagent_is query' -s h -l help -d 'Show this help; -h without the explanations'

# crashes
complete -c logagent -n '__logagent_is crashes' -s S -l since -x -d 'From this time on, which is included'
complete -c logagent -n '__logagent_is crashes' -s U -l until -x -d 'Up to this time, which is included'
complete -c logagent -n '__logagent_is crashes' -l process -x -a '(__logagent_stored processes)' -d 'Of this process, by name or id'
complete -c logagent -n '__logagent_is crashes' -l last-run -x -a '(__logagent_stored processes)' -d 'Only tell whether the last run of NAME crashed'
complete -c logagent -n '__logagent_is crashes' -l ack -d 'With --last-run: the crash is known from now on'
complete -c logagent -n '__logagent_is crashes' -s f -l format -x -a 'table csv json tsv' -d 'table, csv, json (an object a line) or tsv'
complete -c logagent -n '__logagent_is crashes' -l no-pager -d 'Never show the output in a pager'
complete -c logagent -n '__logagent_is crashes' -l database -r -F -d 'Read this store, such as logs.db of a bundle'
complete -c logagent -n '__logagent_is crashes' -l bundle -r -F -d 'Read the store in this support bundle'
complete -c logagent -n '__logagent_is crashes' -l config -r -F -d 'Read the configuration from FILE'
complete -c logagent -n '__logagent_is crashes' -l state-dir -x -a '(__fish_complete_directories)' -d 'Where the store lies'
complete -c logagent -n '__logagent_is crashes' -s h -l help -d 'Show this help; -h without the explanations'

# crash show
complete -c logagent -n '__logagent_is crash show' -l context -x -d 'So long before the crash (60s); 5s after it are shown too'
complete -c logagent -n '__logagent_is crash show' -s f -l format -x -a 'text json apple raw' -d 'text, json, apple, or raw (the report\'s own bytes)'
complete -c logagent -n '__logagent_is crash show' -l no-pager -d 'Never show the output in a pager'
complete -c logagent -n '__logagent_is crash show' -l database -r -F -d 'Read this store, such as logs.db of a bundle'
complete -c logagent -n '__logagent_is crash show' -l bundle -r -F -d 'Read the store in this support bundle'
complete -c logagent -n '__logagent_is crash show' -l config -r -F -d 'Read the configuration from FILE'
complete -c logagent -n '__logagent_is crash show' -l state-dir -x -a '(__fish_complete_directories)' -d 'Where the store lies'
complete -c logagent -n '__logagent_is crash show' -s h -l help -d 'Show this help; -h without the explanations'
complete -c logagent -n '__logagent_is crash show' -a '(__logagent_stored crashes)'

# status
complete -c logagent -n '__logagent_is status' -l json -d 'As one JSON object'
complete -c logagent -n '__logagent_is status' -l database -r -F -d 'Read this store, such as logs.db of a bundle'
complete -c logagent -n '__logagent_is status' -l config -r -F -d 'Read the configuration from FILE'
complete -c logagent -n '__logagent_is status' -l state-dir -x -a '(__fish_complete_directories)' -d 'Where the store lies'
complete -c logagent -n '__logagent_is status' -s h -l help -d 'Show this help; -h without the explanations'

# doctor
complete -c logagent -n '__logagent_is doctor' -s q -l quiet -d 'Leave out what is as it should be'
complete -c logagent -n '__logagent_is doctor' -l json -d 'An object a line'
complete -c logagent -n '__logagent_is doctor' -l root -x -a '(__fish_complete_directories)' -d 'Look at the host whose file system lies in DIR'
complete -c logagent -n '__logagent_is doctor' -l config -r -F -d 'Read the configuration from FILE'
complete -c logagent -n '__logagent_is doctor' -l state-dir -x -a '(__fish_complete_directories)' -d 'Where the store lies'
complete -c logagent -n '__logagent_is doctor' -s h -l help -d 'Show this help; -h without the explanations'

# metrics
complete -c logagent -n '__logagent_is metrics' -s o -l output -r -F -d 'Write FILE, whole or not at all; - is standard output'
complete -c logagent -n '__logagent_is metrics' -l listen -r -F -d 'Answer HTTP requests on this Unix socket until SIGTERM'
complete -c logagent -n '__logagent_is metrics' -l database -r -F -d 'Read this store, such as logs.db of a bundle'
complete -c logagent -n '__logagent_is metrics' -l config -r -F -d 'Read the configuration from FILE'
complete -c logagent -n '__logagent_is metrics' -l state-dir -x -a '(__fish_complete_directories)' -d 'Where the store lies'
complete -c logagent -n '__logagent_is metrics' -s h -l help -d 'Show this help; -h without the explanations'

# export
complete -c logagent -n '__logagent_is export' -s S -l since -x -d 'From this time on, which is included'
complete -c logagent -n '__logagent_is export' -s U -l until -x -d 'Up to this time, which is included'
complete -c logagent -n '__logagent_is export' -s p -l severity -x -a 'trace debug info warn error fatal' -d 'Of at least this severity: debug, info, warn…'
complete -c logagent -n '__logagent_is export' -s s -l source -x -a '(__logagent_stored sources)' -d 'Of this source; may be repeated'
complete -c logagent -n '__logagent_is export' -l process -x -a '(__logagent_stored processes)' -d 'Of this process, by name or id; may be repeated'
complete -c logagent -n '__logagent_is export' -s g -l grep -x -d 'Whose text matches, in Perl\'s syntax'
complete -c logagent -n '__logagent_is export' -l sql -x -d 'Only the records whose ids a statement gives'
complete -c logagent -n '__logagent_is export' -l last-crash -d 'The newest crash and what was logged around it'
complete -c logagent -n '__logagent_is export' -l crash -x -a '(__logagent_stored crashes)' -d 'This crash and what was logged around it; may be repeated'
complete -c logagent -n '__logagent_is export' -l context -x -d 'So long before and after each crash, whatever was logged'
complete -c logagent -n '__logagent_is export' -l since-last-upload -d 'What was stored after the last bundle that a server took'
complete -c logagent -n '__logagent_is export' -s o -l output -r -F -d 'Write FILE; - is standard output'
complete -c logagent -n '__logagent_is export' -s f -l format -x -a 'bundle otlp perfetto' -d 'bundle; otlp, lines of OTLP/JSON; or perfetto, a timeline'
complete -c logagent -n '__logagent_is export' -l max-size -x -d 'No larger than this, such as 25MB'
complete -c logagent -n '__logagent_is export' -l logs-db -x -d 'Hold logs.db too: always, never, or auto (up to 10 MB)'
complete -c logagent -n '__logagent_is export' -l include-dumps -d 'Take crash reports that are no text, which no rule can read'
complete -c logagent -n '__logagent_is export' -l no-redact -d 'Mask nothing; the file\'s name says so'
complete -c logagent -n '__logagent_is export' -l preview -d 'Print what would be masked, and write nothing'
complete -c logagent -n '__logagent_is export' -l database -r -F -d 'Read this store, such as logs.db of a bundle'
complete -c logagent -n '__logagent_is export' -l config -r -F -d 'Read the configuration from FILE'
complete -c logagent -n '__logagent_is export' -l state-dir -x -a '(__fish_complete_directories)' -d 'Where the store lies'
complete -c logagent -n '__logagent_is export' -s h -l help -d 'Show this help; -h without the explanations'

# verify
complete -c logagent -n '__logagent_is verify' -l config -r -F -d 'Read the configuration from FILE'
complete -c logagent -n '__logagent_is verify' -l state-dir -x -a '(__fish_complete_directories)' -d 'Where the store lies'
complete -c logagent -n '__logagent_is verify' -s h -l help -d 'Show this help; -h without the explanations'
complete -c logagent -n '__logagent_is verify' -F

# upload
complete -c logagent -n '__logagent_is upload' -l url -x -d 'Send to this address instead'
complete -c logagent -n '__logagent_is upload' -l method -x -d 'put, post, s3, tus, put-range or kscrash'
complete -c logagent -n '__logagent_is upload' -l token -x -d 'Where the bearer token is: env:NAME or file:PATH'
complete -c logagent -n '__logagent_is upload' -l ca -r -F -d 'Trust the authorities of this PEM file'
complete -c logagent -n '__logagent_is upload' -l timeout -x -d 'Give up a connection after so long without a byte'
complete -c logagent -n '__logagent_is upload' -l retry-for -x -d 'Try again for so long when it may help (1m)'
complete -c logagent -n '__logagent_is upload' -l wait -d 'Try again until everything is sent or refused'
complete -c logagent -n '__logagent_is upload' -l retry -d 'Send all that waits in the outbox or has failed'
complete -c logagent -n '__logagent_is upload' -l automatic -d 'Send what is new if upload.automatic wants it, and what is due'
complete -c logagent -n '__logagent_is upload' -l status -d 'Tell what is in the outbox'
complete -c logagent -n '__logagent_is upload' -l json -d 'With --status: an object a line'
complete -c logagent -n '__logagent_is upload' -l config -r -F -d 'Read the configuration from FILE'
complete -c logagent -n '__logagent_is upload' -l state-dir -x -a '(__fish_complete_directories)' -d 'Where the store lies'
complete -c logagent -n '__logagent_is upload' -s h -l help -d 'Show this help; -h without the explanations'
complete -c logagent -n '__logagent_is upload' -F

# bundle diff
complete -c logagent -n '__logagent_is bundle diff' -l json -d 'An object a line'
complete -c logagent -n '__logagent_is bundle diff' -l config -r -F -d 'Read the configuration from FILE'
complete -c logagent -n '__logagent_is bundle diff' -l state-dir -x -a '(__fish_complete_directories)' -d 'Where the store lies'
complete -c logagent -n '__logagent_is bundle diff' -s h -l help -d 'Show this help; -h without the explanations'

# redactions
complete -c logagent -n '__logagent_is redactions' -l reveal -x -d 'The value that a mark stands for, on the machine that made it'
complete -c logagent -n '__logagent_is redactions' -l config -r -F -d 'Read the configuration from FILE'
complete -c logagent -n '__logagent_is redactions' -l state-dir -x -a '(__fish_complete_directories)' -d 'Where the store lies'
complete -c logagent -n '__logagent_is redactions' -s h -l help -d 'Show this help; -h without the explanations'
complete -c logagent -n '__logagent_is redactions' -F

# formats
complete -c logagent -n '__logagent_is formats' -l list -d 'List the known formats: family, what they map, an example'
complete -c logagent -n '__logagent_is formats' -l markdown -d 'With --list: as the reference page'
complete -c logagent -n '__logagent_is formats' -l import -r -F -d 'Print an lnav format file as [[format]], its samples tried'
complete -c logagent -n '__logagent_is formats' -l config -r -F -d 'Read the configuration from FILE'
complete -c logagent -n '__logagent_is formats' -l state-dir -x -a '(__fish_complete_directories)' -d 'Where the store lies'
complete -c logagent -n '__logagent_is formats' -s h -l help -d 'Show this help; -h without the explanations'
complete -c logagent -n '__logagent_is formats' -F

# explain
complete -c logagent -n '__logagent_is explain' -l database -r -F -d 'Read this store, such as logs.db of a bundle'
complete -c logagent -n '__logagent_is explain' -l config -r -F -d 'Read the configuration from FILE'
complete -c logagent -n '__logagent_is explain' -l state-dir -x -a '(__fish_complete_directories)' -d 'Where the store lies'
complete -c logagent -n '__logagent_is explain' -s h -l help -d 'Show this help; -h without the explanations'

# cat
complete -c logagent -n '__logagent_is cat' -l source -x -d 'All files of this source'
complete -c logagent -n '__logagent_is cat' -l compare -d 'Write nothing; compare with the files on disk'
complete -c logagent -n '__logagent_is cat' -l database -r -F -d 'Read this store, such as logs.db of a bundle'
complete -c logagent -n '__logagent_is cat' -l config -r -F -d 'Read the configuration from FILE'
complete -c logagent -n '__logagent_is cat' -l state-dir -x -a '(__fish_complete_directories)' -d 'Where the store lies'
complete -c logagent -n '__logagent_is cat' -s h -l help -d 'Show this help; -h without the explanations'
complete -c logagent -n '__logagent_is cat' -F

# audit
complete -c logagent -n '__logagent_is audit' -s a -l all -d 'Show the files that are sound, too'
complete -c logagent -n '__logagent_is audit' -l database -r -F -d 'Read this store, such as logs.db of a bundle'
complete -c logagent -n '__logagent_is audit' -l config -r -F -d 'Read the configuration from FILE'
complete -c logagent -n '__logagent_is audit' -l state-dir -x -a '(__fish_complete_directories)' -d 'Where the store lies'
complete -c logagent -n '__logagent_is audit' -s h -l help -d 'Show this help; -h without the explanations'

# prune
complete -c logagent -n '__logagent_is prune' -l max-bytes -x -d 'Keep the store\'s files below SIZE, as in 200MiB'
complete -c logagent -n '__logagent_is prune' -l max-age -x -d 'Delete records older than TIME'
complete -c logagent -n '__logagent_is prune' -l config -r -F -d 'Read the configuration from FILE'
complete -c logagent -n '__logagent_is prune' -l state-dir -x -a '(__fish_complete_directories)' -d 'Where the store lies'
complete -c logagent -n '__logagent_is prune' -s h -l help -d 'Show this help; -h without the explanations'

# check-config
complete -c logagent -n '__logagent_is check-config' -s q -l quiet -d 'Show only what is wrong'
complete -c logagent -n '__logagent_is check-config' -l no-pager -d 'Never show the output in a pager'
complete -c logagent -n '__logagent_is check-config' -l config -r -F -d 'Read the configuration from FILE'
complete -c logagent -n '__logagent_is check-config' -l state-dir -x -a '(__fish_complete_directories)' -d 'Where the store lies'
complete -c logagent -n '__logagent_is check-config' -s h -l help -d 'Show this help; -h without the explanations'

# retime
complete -c logagent -n '__logagent_is retime' -s s -l source -x -a '(__logagent_stored sources)' -d 'Of this source'
complete -c logagent -n '__logagent_is retime' -s z -l zone -x -d 'The zone that the times are in, as in Europe/Berlin'
complete -c logagent -n '__logagent_is retime' -l from -x -d 'The zone in which they were read (that of the configuration)'
complete -c logagent -n '__logagent_is retime' -s n -l dry-run -d 'Only tell what would be changed'
complete -c logagent -n '__logagent_is retime' -l database -r -F -d 'Read this store, such as logs.db of a bundle'
complete -c logagent -n '__logagent_is retime' -l config -r -F -d 'Read the configuration from FILE'
complete -c logagent -n '__logagent_is retime' -l state-dir -x -a '(__fish_complete_directories)' -d 'Where the store lies'
complete -c logagent -n '__logagent_is retime' -s h -l help -d 'Show this help; -h without the explanations'

# completions
complete -c logagent -n '__logagent_is completions' -l config -r -F -d 'Read the configuration from FILE'
complete -c logagent -n '__logagent_is completions' -l state-dir -x -a '(__fish_complete_directories)' -d 'Where the store lies'
complete -c logagent -n '__logagent_is completions' -s h -l help -d 'Show this help; -h without the explanations'
complete -c logagent -n '__logagent_is completions' -a 'bash zsh fish'
