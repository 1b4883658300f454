// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import LogModel
internal import LogParser
internal import TestSupport
internal import Testing

/// A file of the corpus that is read as its index says: format, and records by severity.
private struct Expectation: Sendable, CustomTestStringConvertible {
  let path: String
  let format: String
  /// `number:count` by number; empty where the severities are not known from another source.
  let severities: String
  /// The zone of the machine is named by the index; the date by the file's last change.
  var modified: String?
  /// Where the index counts lines that belong to one event.
  var records: Int?
  /// Where the index takes the last time from a field that we rank lower, or from inside a report.
  var last: String?
  /// Where the index is wrong about the first time; empty when the first record has none.
  var first: String?

  init(
    _ path: String, _ format: String, _ severities: String = "", modified: String? = nil,
    records: Int? = nil, first: String? = nil, last: String? = nil
  ) {
    self.path = path
    self.format = format
    self.severities = severities
    self.modified = modified
    self.records = records
    self.first = first
    self.last = last
  }

  var testDescription: String { path }
}

private let expectations: [Expectation] = [
  Expectation("nasty/control_chars.log", "timestamped", "9:3"),
  Expectation("nasty/cr_only_progress.log", "plain"),
  Expectation("nasty/crlf.log", "timestamped", "9:2 17:1"),
  Expectation("nasty/dst_fall_back_local.log", "nginx-error", "17:5"),
  Expectation("nasty/duplicate_lines.log", "timestamped", "0:1 9:3"),
  Expectation("nasty/epochs.log", "timestamped", "0:1 9:8"),
  Expectation("nasty/fractions_comma_dot.log", "timestamped", "0:1 9:8"),
  Expectation("nasty/fs/name with spaces [1].log", "timestamped", "9:1"),
  Expectation("nasty/interleaved_processes.log", "timestamped", "9:2 17:2"),
  Expectation("nasty/invalid_utf8.log", "swift-log", "9:2 17:4"),
  Expectation("nasty/leap_second.log", "rfc5424", "10:5"),
  Expectation(
    "nasty/level_words.log",
    "timestamped", "0:2 1:6 5:4 6:1 7:1 9:6 10:3 13:4 17:5 18:2 19:2 21:6"),
  Expectation("nasty/long_line_60k.log", "timestamped", "9:3"),
  Expectation("nasty/new_year_no_year.log", "syslog"),
  Expectation("nasty/no_trailing_newline.log", "timestamped", "9:2"),
  Expectation("nasty/nul_run_after_copytruncate.log", "nginx-error", "17:4"),
  Expectation("nasty/offsets.log", "timestamped"),
  Expectation("nasty/rotated/app.log", "timestamped", "9:2"),
  Expectation("nasty/rotated/app.log.1", "timestamped", "9:1 17:1"),
  Expectation("nasty/secrets.log", "timestamped", "9:3"),
  Expectation("nasty/utf8_bom.log", "syslog"),
  Expectation("server/apache/access_combined_D_uid.log", "access-log", "9:1 13:7 17:4"),
  Expectation("server/apache/access_common.log", "access-log", "9:1 13:7 17:4"),
  Expectation("server/apache/access_iso_custom.log", "timestamped"),
  Expectation("server/apache/access_vhost_combined.log", "access-log", "9:1 13:7 17:4"),
  Expectation("server/apache/error_event.log", "apache-error", "9:5 10:6 17:8 19:1"),
  Expectation("server/apache/error_prefork.log", "apache-error", "9:5 10:6 17:8 19:1"),
  Expectation("server/app/access_bad_request.log", "access-log", "13:1"),
  Expectation("server/app/bunyan_renovate.jsonl", "json-lines", "5:9 9:1"),
  Expectation("server/app/caddy_access.jsonl", "json-lines", "9:4"),
  Expectation("server/app/caddy_access2.jsonl", "json-lines", "5:1 9:8 17:2"),
  Expectation("server/app/couchdb.log", "timestamped", "10:90"),
  Expectation("server/app/cxx_short.log", "timestamped"),
  Expectation("server/app/ecs_python.jsonl", "json-lines", "5:1 9:1 13:1 17:1 21:1"),
  Expectation("server/app/epoch_millis_plain.log", "timestamped"),
  Expectation("server/app/gitlab_production.jsonl", "json-lines", "0:1 9:2"),
  Expectation("server/app/harbor_nested_syslog.log", "syslog"),
  Expectation("server/app/invalid_json.jsonl", "json-lines"),
  Expectation("server/app/ios_logd.log", "timestamped"),
  Expectation("server/app/jira.log", "timestamped", "5:1 9:3 13:1 17:1 21:1"),
  Expectation("server/app/jira_access.log", "access-log", "9:2"),
  Expectation("server/app/kernel_segfault_syslog.log", "syslog"),
  Expectation("server/app/keycloak.log", "timestamped", "13:7"),
  Expectation("server/app/laravel_monolog.log", "monolog", "9:2 21:2"),
  Expectation("server/app/mixed_offsets.log", "timestamped"),
  Expectation("server/app/mongodb44.jsonl", "json-lines", "9:2 13:1"),
  Expectation("server/app/mongodb_offset.jsonl", "json-lines", "9:2"),
  Expectation("server/app/nextcloud.jsonl", "json-lines", "9:5"),
  Expectation("server/app/pino_string_level.jsonl", "json-lines", "9:1"),
  Expectation("server/app/postfix.log", "syslog"),
  Expectation("server/app/rust_tracing.jsonl", "json-lines", "1:1 9:2 13:1 17:1"),
  Expectation("server/app/spring_boot_custom.log", "timestamped", "9:20"),
  Expectation("server/app/suricata_eve.jsonl", "json-lines"),
  Expectation("server/app/timestamp_inside_value.log", "timestamped", "9:1 13:1"),
  Expectation("server/app/traefik_access.jsonl", "json-lines", "5:1 9:6"),
  Expectation("server/app/traefik_clf.log", "access-log", "0:1 9:6"),
  Expectation("server/app/vmware_continuation.log", "timestamped", "9:2 13:1"),
  Expectation("server/app/vmware_vpxd.log", "timestamped", "9:12"),
  Expectation("server/app/vsftpd.log", "timestamped"),
  Expectation("server/app/xml_message.log", "timestamped", "5:2 9:1"),
  Expectation("server/app/zap_console.log", "timestamped", "9:2 17:1"),
  Expectation("server/app/zimbra_mailbox.log", "timestamped", "9:3 13:1"),
  Expectation("server/haproxy/haproxy_iso.log", "haproxy", "0:5 9:1 13:2 17:3"),
  Expectation("server/haproxy/haproxy_rfc3164_raw.log", "syslog", "9:7 19:2 21:2"),
  Expectation("server/haproxy/haproxy_rfc5424_stdout.log", "rfc5424", "9:7 19:2 21:2"),
  Expectation("server/haproxy/lnav_haproxy.log", "syslog"),
  Expectation("server/journald/journalctl_short-full.log", "timestamped"),
  Expectation("server/journald/journalctl_short-iso.log", "syslog"),
  Expectation("server/journald/journalctl_short-unix.log", "timestamped"),
  Expectation("server/journald/journalctl_short.log", "syslog"),
  Expectation("server/journald/journalctl_verbose.log", "journal-verbose"),
  Expectation("server/journald/journald_lnav.json", "json-lines", "9:1 19:1"),
  Expectation("server/lang/bunyan.jsonl", "json-lines", "1:1 9:2 13:1 17:1 21:1"),
  Expectation("server/lang/ecs_logging.jsonl", "json-lines", "9:1 13:1 17:1"),
  Expectation("server/lang/gunicorn_access.log", "access-log", "9:1 13:1 17:1"),
  Expectation("server/lang/gunicorn_error.log", "timestamped", "5:6 9:12 17:1"),
  Expectation("server/lang/hclog.log", "timestamped", "1:1 9:1 13:2 17:1"),
  Expectation("server/lang/java_util_logging.log", "java-util-logging", "9:1 17:1"),
  Expectation("server/lang/jvm_unified_gc.log", "timestamped", "9:24"),
  Expectation("server/lang/log4j2_gelf.jsonl", "json-lines", "5:2 9:2 13:1 17:1 19:1"),
  Expectation("server/lang/log4j2_pattern.log", "timestamped", "1:1 5:1 9:2 13:1 17:1 21:1"),
  Expectation("server/lang/log4j2_rfc5424.log", "rfc5424", "5:2 9:2 13:1 17:1 19:1"),
  Expectation("server/lang/log4j2_unix_millis.log", "timestamped", "1:1 5:1 9:2 13:1 17:1 21:1"),
  Expectation("server/lang/log4js.log", "timestamped", "1:1 9:1 10:1 17:1 21:1"),
  Expectation("server/lang/logback_default.log", "timestamped", "1:1 5:1 9:3 13:1 17:2"),
  Expectation("server/lang/logback_iso_mdc.log", "timestamped", "1:1 5:1 9:3 13:1 17:2"),
  Expectation("server/lang/logrus.jsonl", "json-lines", "9:1 13:1 17:1 21:1"),
  Expectation("server/lang/loguru.log", "timestamped", "9:1 10:1 13:1 17:1 21:1"),
  Expectation("server/lang/pino_default.jsonl", "json-lines", "5:1 9:2 13:1 17:1 21:1"),
  Expectation("server/lang/python_asctime.log", "timestamped", "0:1 1:1 5:2 9:2 13:2 17:3 21:1"),
  Expectation("server/lang/python_dash.log", "timestamped", "0:1 1:1 5:2 9:2 13:2 17:3 21:1"),
  Expectation(
    "server/lang/python_gunicorn_style.log",
    "timestamped", "0:1 1:1 5:2 9:2 13:2 17:3 21:1"),
  Expectation("server/lang/python_pipe.log", "timestamped", "0:1 1:1 5:2 9:2 13:2 17:3 21:1"),
  Expectation("server/lang/spdlog_custom.log", "timestamped", "13:1 17:1"),
  Expectation("server/lang/spdlog_default.log", "timestamped", "1:1 5:1 9:1 13:1 17:1 21:1"),
  Expectation("server/lang/spring_boot_2.log", "timestamped", "1:1 5:1 9:3 13:1 17:2"),
  Expectation("server/lang/spring_boot_3.log", "timestamped", "1:1 5:1 9:3 13:1 17:2"),
  Expectation("server/lang/structlog.jsonl", "json-lines", "9:1 13:1 17:1"),
  Expectation("server/lang/zap_development.log", "timestamped", "5:1 9:1 13:1 17:1"),
  Expectation("server/lang/zap_production.jsonl", "json-lines", "9:1 13:1 17:1 18:1"),
  Expectation("server/loghub/Apache.log", "apache-error", "10:497 17:203"),
  Expectation("server/loghub/Hadoop.log", "timestamped", "9:450"),
  Expectation("server/loghub/Linux.log", "syslog"),
  Expectation("server/loghub/Mac.log", "syslog"),
  Expectation("server/loghub/OpenSSH.log", "syslog"),
  Expectation("server/loghub/Spark.log", "timestamped", "9:700"),
  Expectation("server/loghub/Windows.log", "timestamped", "9:600"),
  Expectation("server/loghub/Zookeeper.log", "timestamped", "9:172 13:427 17:1"),
  Expectation("server/mysql/crowdsec_access_denied.log", "timestamped", "0:1 9:3"),
  Expectation("server/mysql/lnav_mysql57_error.log", "timestamped", "9:3 13:1"),
  Expectation("server/nginx/access_combined.log", "access-log", "9:5 13:11 17:4"),
  Expectation("server/nginx/access_ingress.log", "access-log", "9:5 13:11 17:4"),
  Expectation("server/nginx/access_json.log", "json-lines", "9:5 13:11 17:4"),
  Expectation("server/nginx/access_upstream_custom.log", "access-log", "9:5 13:11 17:4"),
  Expectation("server/nginx/error.log", "nginx-error", "9:17 10:40 13:3 17:14"),
  Expectation("server/postgres/postgresql_json.log", "json-lines", "9:62 10:1 13:1 17:6 21:1"),
  Expectation("server/syslog/fail2ban_bsd_v.log", "syslog", "9:5 17:5"),
  Expectation("server/syslog/lnav_asl_multiline.log", "syslog"),
  Expectation("server/syslog/lnav_bad_line.log", "syslog"),
  Expectation("server/syslog/lnav_mixed_host_tz.log", "syslog"),
  Expectation("server/syslog/lnav_year_end.log", "syslog"),
  Expectation(
    "server/syslog/rfc5424_protocol23.log",
    "rfc5424", "5:2 9:3 10:8 13:3 17:1 18:2 21:2"),
  Expectation("server/syslog/rfc_examples_raw.log", "syslog", "10:6 18:2 21:2"),
  Expectation("server/syslog/rsyslog_fileformat_iso.log", "syslog"),
  Expectation("server/syslog/rsyslog_traditional.log", "syslog"),
  Expectation("swift/backtrace/Abort-12814-0.0.log", "plain", "21:1"),
  Expectation("swift/backtrace/DoubleResume-12846-0.0.log", "plain", "21:1"),
  Expectation("swift/backtrace/FatalErrorMulti-12806-0.0.log", "plain", "21:1"),
  Expectation("swift/backtrace/IndexOutOfRange-12782-0.0.log", "plain", "21:1"),
  Expectation("swift/backtrace/NilUnwrap-10658-0.0.log", "plain", "21:1"),
  Expectation("swift/backtrace/StackOverflow-10681-0.0.log", "plain", "21:1"),
  Expectation("swift/backtrace/ThreadCrash-10715-0.0.log", "plain", "21:1"),
  Expectation("swift/backtrace/friendly_preset.log", "plain", "21:1"),
  Expectation("swift/backtrace/stderr_with_message.log", "plain", "21:1"),
  Expectation(
    "swift/cocoalumberjack/com.example.shop 2026-03-01--09-00-00-123.log",
    "cocoalumberjack"),
  Expectation("swift/nslog_linux.log", "timestamped"),
  Expectation("swift/runtime/AssertionFailure.stderr", "plain", "21:1"),
  Expectation("swift/runtime/AsyncCrash.stderr", "plain", "21:1"),
  Expectation("swift/runtime/DivideByZero.stderr", "plain", "21:1"),
  Expectation("swift/runtime/FatalErrorMultiline.stderr", "plain", "21:1"),
  Expectation("swift/runtime/ForcedCast.stderr", "plain", "21:1"),
  Expectation("swift/runtime/IndexOutOfRange.stderr", "plain", "21:1"),
  Expectation("swift/runtime/LeakedContinuation.stderr", "plain", "13:1"),
  Expectation("swift/runtime/NilUnwrap.stderr", "plain", "21:1"),
  Expectation("swift/runtime/PreconditionFailure.stderr", "plain", "21:1"),
  Expectation("swift/runtime/ThreadCrash.stderr", "plain", "21:1"),
  Expectation("swift/runtime/TopLevelError.stderr", "plain", "21:1"),
  Expectation("swift/runtime/TryBang.stderr", "plain", "21:1"),
  Expectation("swift/swiftlog_stream_current.log", "swift-log", "1:1 5:1 9:4 10:1 13:1 17:2 21:1"),
  Expectation("swift/swiftybeaver_file.log", "timestamped", "1:1 5:1 9:3 13:1 17:1"),
  Expectation("swift/xcglogger.log", "timestamped", "1:1 5:1 9:2 10:1 13:1 17:2 19:1 21:1"),
  Expectation("nasty/json_array.json", "json-document", "9:3"),
  Expectation("server/app/cri_ingress.log", "cri", "9:3"),
  Expectation("server/app/cri_multiline_partial.log", "cri"),
  Expectation("server/app/docker_compose_noise.log", "docker-compose"),
  Expectation("server/app/docker_compose_ts.log", "docker-compose"),
  Expectation("server/app/docker_json_file.log", "docker-json", "9:3"),
  Expectation("server/app/grafana_logfmt.log", "logfmt", "9:5"),
  Expectation("server/app/logfmt.log", "logfmt", "9:2 13:1 17:2"),
  Expectation("server/journald/journalctl_json-pretty.log", "json-document"),
  Expectation("server/lang/logrus.logfmt", "logfmt", "1:1 5:1 9:1 13:2 17:1 19:1"),
  Expectation("server/lang/structlog.logfmt", "logfmt", "9:1 13:1 17:1"),
  Expectation("server/nginx/access_kv_epoch.log", "logfmt", "9:5 13:11 17:4"),
  Expectation(
    "server/postgres/lnav_cest_multiline.log", "postgresql", "10:1 13:2 17:2", records: 5),
  Expectation("server/postgres/lnav_pdt.log", "postgresql", "9:19 17:1", records: 20),
  Expectation(
    "server/postgres/postgresql_stderr.log", "postgresql", "9:62 10:1 13:1 17:6 21:1", records: 71),
  Expectation("swift/oslog/log_show.json", "json-document"),
  Expectation("server/app/auditd.log", "audit", "0:4"),
  Expectation("server/app/glog_old.log", "glog", "9:4 13:1 17:2"),
  Expectation("server/app/glog_with_header.log", "glog", "9:3 21:1"),
  Expectation("server/app/uvicorn_access.log", "level-first", "9:6"),
  Expectation(
    "server/journald/journalctl_export.log", "journal-export", "5:1 9:5 10:1 13:2 17:3 18:1",
    last: "2026-11-30T06:19:52.953605Z"),
  Expectation(
    "server/journald/journalctl_json.jsonl", "json-lines", "5:1 9:5 10:1 13:2 17:3 18:1",
    last: "2026-11-30T06:19:52.953605Z"),
  Expectation(
    "server/lang/glog/g.vm.root.log.INFO.20261130-073006.25768", "glog", "9:1 13:1 17:2 21:1"),
  Expectation("server/lang/glog_check_failure_stderr.log", "glog", "21:1"),
  Expectation("server/lang/klog.log", "glog", "9:2 13:1 17:2 21:1"),
  Expectation("server/lang/python_basic.log", "level-first", "1:1 5:3 9:2 13:2 17:3 21:1"),
  Expectation("server/loghub/Android.log", "logcat"),
  Expectation("server/loghub/HDFS.log", "timestamped"),
  Expectation("server/mysql/lnav_mysql_slow.log", "mysql-slow", "0:6"),
  Expectation("server/mysql/mariadb_error.log", "timestamped"),
  Expectation("server/mysql/mariadb_slow.log", "mysql-slow", "0:8"),
  Expectation("server/mysql/mtail_slow.log", "mysql-slow", "0:8"),
  Expectation(
    "server/redis/redis_master_with_crash.log", "redis", "9:9 10:12 13:5 21:1",
    last: "2026-11-30T06:13:43.785Z"),
  Expectation("server/redis/redis_replica.log", "redis", "10:10 13:10"),
  Expectation("swift/oslog/log_show.ndjson", "json-lines", "0:2 5:1 10:1 17:1 21:1"),
  Expectation("swift/oslog/log_show_default.log", "os-log", "0:2 5:1 9:1 10:3 17:1 21:1"),
  Expectation("swift/oslog/log_show_syslog.log", "os-log", "0:4"),
  Expectation("swift/tests/swift_testing.log", "swift-testing"),
  Expectation("swift/tests/xctest_linux.log", "xctest"),
  Expectation("swift/vapor_console_default.log", "vapor", "9:1 10:1 13:1 17:1 21:1"),
  Expectation("swift/vapor_console_trace.log", "vapor", "1:1 5:1 9:1 10:1 13:1 17:1 21:1"),
  Expectation("swift/vapor_console_tty_ansi.log", "vapor", "9:1 10:1 13:1 17:1 21:1"),
  Expectation("server/app/aws_alb.log", "aws-elb", "9:6 13:8"),
  Expectation("server/app/aws_cloudfront.tsv", "aws-cloudfront", "13:2"),
  Expectation("server/app/iis10_edge_cases.log", "w3c", "9:11 13:3 17:1"),
  Expectation("server/app/iis_time_only.log", "w3c", "9:8 13:3"),
  Expectation("server/app/iis_w3c.log", "w3c"),
  Expectation("server/app/uwsgi.log", "uwsgi", "9:19"),
  Expectation("server/app/windows_event.xml.log", "windows-event", "9:1"),
  Expectation(
    "server/postgres/postgresql_csv.log", "postgresql-csv", "9:62 10:1 13:1 17:6 21:1", records: 71),
  Expectation("server/haproxy/haproxy_stderr.log", "haproxy", "13:2 19:2"),
  Expectation("server/app/otlp_collector_file_exporter.jsonl", "otlp-json"),
  Expectation("nasty/multiline_json.json", "json-document", "9:3 17:1"),
  Expectation("server/docker/json_file_partial_16k.log", "docker-json"),
  Expectation("server/loghub/OpenStack.log", "timestamped"),
  Expectation("server/loghub/Proxifier.log", "timestamped"),
  Expectation("server/loghub/Thunderbird.log", "supercomputer"),
  Expectation("server/app/otlp_proto_example.json", "json-document", "10:1"),
  Expectation("server/aws/cloudwatch_get_log_events.json", "json-document", "0:1 17:1"),
  Expectation("server/app/fluentbit_multiline_mix.log", "plain", "0:4 21:1"),
  Expectation("swift/nslog_macos.log", "timestamped"),
  // The index cuts the fractions off.
  Expectation(
    "server/lang/log4j2_json.jsonl", "json-lines", "1:1 5:1 9:2 13:1 17:1 21:1",
    first: "2026-11-30T06:29:05.165208409Z", last: "2026-11-30T06:29:05.284917352Z"),
  Expectation("server/syslog/fail2ban_testcase_journal.log", "plain", "0:19"),
  // The last line, coloured and without a time, goes on from the one before it: nothing in it says
  // that it begins a record, so that the index counts six.
  Expectation("nasty/ansi_colors.log", "timestamped", "0:2 9:1 17:2", records: 5, first: ""),
  // The index has the times of the one dated line; the other two have none.
  Expectation(
    "server/nginx/start_failure_stderr.log", "nginx-error", "0:1 21:2", first: "",
    last: "2026-11-30T06:10:33Z"),
  // The comments before the first line are a record, and the two lines that a journal has put a host
  // and a process before (`host nginx[983478]: 2023/12/09 …`) are in no form of nginx's: they join the
  // comments before them. The index counts 18 lines of nginx.
  Expectation("server/app/fail2ban_nginx_error_samples.log", "nginx-error", records: 17),
  // The file has 51 lines that are neither blank nor a comment, not 66; one more record holds the
  // comments before the first, and `mail.example.com exim[3751842]: 2021-07-17 …` joins comments.
  Expectation("server/app/exim_main.log", "timestamped", records: 51),
  // 1712790000100000000 nanoseconds are 2024-04-10T23:00:00.1Z: the index is three hours early.
  Expectation(
    "server/app/cloudflare_http.jsonl", "json-lines", "9:10 13:4 17:1",
    first: "2024-04-10T23:00:00.1Z", last: "2024-04-10T23:00:44.995Z"),
]

@Suite("Corpus", .enabled(if: Corpus.isAvailable))
struct CorpusTests {
  @Test("no byte of a text file is lost, and attributes are valid JSON")
  func isFaithful() throws {
    for entry in CorpusEntry.all where !entry.path.hasPrefix("crash/") {
      for multiline in [MultilineMode.auto, .timestamp, .off] {
        var context = FileContext.test(path: "/var/log/" + entry.path, multiline: multiline)
        context.zone = try entry.zone()
        let file = ParsedFile(entry.bytes, context: context)
        for index in file.records.indices where !file.isFaithful(index) {
          Issue.record("\(entry.path), \(multiline): record \(index) differs from its text")
          break
        }
      }
    }
  }

  @Test("records, times and severities are those of the index", arguments: expectations)
  private func isAsIndexed(_ expected: Expectation) throws {
    let entry = try #require(CorpusEntry.named(expected.path))
    let file = try entry.parse(modified: expected.modified)
    #expect(file.formatName == expected.format)
    if let count = expected.records ?? entry.records { #expect(file.records.count == count) }
    let first = try #require(file.records.first)
    if let time = (expected.first ?? entry.first).flatMap(parseTime) {
      #expect(try file.outerTime(0) == time)
      #expect(first.timeQuality.rawValue <= TimeQuality.inferredYear.rawValue)
    }
    if let time = (expected.last ?? entry.last).flatMap(parseTime) {
      #expect(try file.outerTime(file.records.count - 1) == time)
    }
    guard !expected.severities.isEmpty else { return }
    var counts: [UInt8: Int] = [:]
    for record in file.records { counts[record.severity.number, default: 0] += 1 }
    let text = counts.sorted { $0.key < $1.key }.map { "\($0.key):\($0.value)" }
    #expect(text.joined(separator: " ") == expected.severities)
  }

  @Test("a growing file is read as a whole one, whatever the beginning shows")
  func isStableUnderDetection() throws {
    let entry = try #require(CorpusEntry.named("swift/swiftlog_stream_current.log"))
    let undetected = ParsedFile(entry.bytes, context: .test(), detectsFormat: false)
    let detected = try entry.parse()
    #expect(undetected.formatName == "")
    #expect(undetected.records.filter { $0.timeQuality == .zoned }.count == detected.records.count)
  }
}
