// SPDX-License-Identifier: Apache-2.0

/// What the value of a well-known key of a JSON log line is.
struct JSONKey {
  enum Role: UInt8 {
    case other, time, level, message, scope, pid, process, thread, threadID, status
    case error, errorType, errorMessage, stack, caller, source, file, line, function
    case executable, trace, traceObject, span, spanObject, host, service, client, userAgent, method,
      path
  }

  var role: Role
  /// Of several keys for one thing the highest wins.
  var rank: Int8

  init(_ role: Role, _ rank: Int8) {
    self.role = role
    self.rank = rank
  }

  static let other = JSONKey(.other, 0)
}

extension JSONKey {
  /// What the key in `start..<end` of `line`, without its quotes, stands for.
  @inline(__always)
  static func lookUp(_ line: Line, _ start: Int, _ end: Int) -> JSONKey {
    let key = line.slice(start, end)
    guard key.count <= 26, key.count > 0 else { return other }
    // The first eight bytes, the first in the lowest place: one comparison for each candidate.
    if key.count > 8 { return long(key, key.word(at: 0)) }
    // The key's quote, a colon and a value follow: eight bytes from its start are in the text only
    // when the rest is long enough.
    guard line.count &- start >= 8 else { return short(key.shortWord) }
    let unused = UInt64(8 &- key.count) &* 8
    return short((line.word(at: start) &<< unused) &>> unused)
  }

  private static func short(_ word: UInt64) -> JSONKey {
    switch word {
    case 0x7265_6c6c_6163: .init(.caller, 1)  // caller
    case 0x0072_656c_6c61_6340: .init(.caller, 1)  // @caller
    case 0x7069_746e_6569_6c63: .init(.client, 1)  // clientip
    case 0x5049_746e_6569_6c43: .init(.client, 1)  // ClientIP
    case 0x0072_7265: .init(.error, 1)  // err
    case 0x0072_6f72_7265: .init(.error, 1)  // error
    case 0x6e77_6f72_6874: .init(.error, 1)  // thrown
    case 0x656c_6966: .init(.file, 1)  // file
    case 0x656d_616e_656c_6966: .init(.file, 1)  // filename
    case 0x656d_616e_6874_6170: .init(.file, 1)  // pathname
    case 0x636e_7566: .init(.function, 1)  // func
    case 0x6e6f_6974_636e_7566: .init(.function, 1)  // function
    case 0x656d_614e_636e_7566: .init(.function, 1)  // funcName
    case 0x7473_6f68: .init(.host, 1)  // host
    case 0x656d_616e_7473_6f68: .init(.host, 1)  // hostname
    case 0x6c40: .init(.level, 9)  // @l
    case 0x006c_6576_656c: .init(.level, 9)  // level
    case 0x6c65_7665_6c40: .init(.level, 9)  // @level
    case 0x006c_766c: .init(.level, 8)  // lvl
    case 0x006c_6576_654c: .init(.level, 8)  // Level
    case 0x6c65_7665_4c67_6f4c: .init(.level, 8)  // LogLevel
    case 0x7974_6972_6576_6553: .init(.level, 8)  // Severity
    case 0x7974_6972_6576_6573: .init(.level, 8)  // severity
    case 0x6c65_7665_6c67_6f6c: .init(.level, 8)  // loglevel
    case 0x6c65_7665_4c67_6f6c: .init(.level, 8)  // logLevel
    case 0x5954_4952_4f49_5250: .init(.level, 8)  // PRIORITY
    case 0x73: .init(.level, 3)  // s
    case 0x656e_696c: .init(.line, 1)  // line
    case 0x6f6e_656e_696c: .init(.line, 1)  // lineno
    case 0x0073_646c_6569_6640: .init(.message, 3)  // @fields
    case 0x6d40: .init(.message, 9)  // @m
    case 0x0067_736d: .init(.message, 9)  // msg
    case 0x0065_6761_7373_656d: .init(.message, 9)  // message
    case 0x0045_4741_5353_454d: .init(.message, 9)  // MESSAGE
    case 0x6567_6173_7365_6d40: .init(.message, 9)  // @message
    case 0x0065_6761_7373_654d: .init(.message, 8)  // Message
    case 0x0074_6d40: .init(.message, 8)  // @mt
    case 0x7364_6c65_6966: .init(.message, 7)  // fields
    case 0x746e_6576_4567_6f6c: .init(.message, 7)  // logEvent
    case 0x0074_6e65_7665: .init(.message, 5)  // event
    case 0x7964_6f62: .init(.message, 3)  // body
    case 0x7964_6f42: .init(.message, 3)  // Body
    case 0x7478_6574: .init(.message, 2)  // text
    case 0x0067_6f6c: .init(.message, 1)  // log
    case 0x0074_7365_7571_6572: .init(.message, 1)  // request
    case 0x646f_6874_656d: .init(.method, 1)  // method
    case 0x6874_6170: .init(.path, 1)  // path
    case 0x6874_6170_2e6c_7275: .init(.path, 1)  // url.path
    case 0x0064_6970: .init(.pid, 1)  // pid
    case 0x0044_4950: .init(.pid, 1)  // PID
    case 0x4449_505f: .init(.pid, 1)  // _PID
    case 0x0073_7365_636f_7270: .init(.process, 1)  // process
    case 0x006d_6172_676f_7270: .init(.process, 1)  // program
    case 0x7265_6767_6f6c: .init(.scope, 9)  // logger
    case 0x0065_6c75_646f_6d40: .init(.scope, 9)  // @module
    case 0x0072_6567_676f_6c5f: .init(.scope, 9)  // _logger
    case 0x7465_6772_6174: .init(.scope, 8)  // target
    case 0x7972_6f67_6574_6143: .init(.scope, 4)  // Category
    case 0x006c_656e_6e61_6863: .init(.scope, 7)  // channel
    case 0x656d_616e: .init(.scope, 5)  // name
    case 0x63: .init(.scope, 3)  // c
    case 0x0065_6369_7672_6573: .init(.service, 1)  // service
    case 0x6563_7275_6f73: .init(.source, 1)  // source
    case 0x6449_6e61_7073: .init(.span, 1)  // spanId
    case 0x4449_6e61_7073: .init(.span, 1)  // spanID
    case 0x0064_695f_6e61_7073: .init(.span, 1)  // span_id
    case 0x0064_692e_6e61_7073: .init(.span, 1)  // span.id
    case 0x6e61_7073: .init(.spanObject, 1)  // span
    case 0x006b_6361_7473: .init(.stack, 1)  // stack
    case 0x6f66_6e69_5f63_7865: .init(.stack, 1)  // exc_info
    case 0x7375_7461_7473: .init(.status, 1)  // status
    case 0x7840: .init(.stack, 1)  // @x
    case 0x0072_7440: .init(.trace, 1)  // @tr
    case 0x0070_7340: .init(.span, 1)  // @sp
    case 0x0078_7463: .init(.thread, 1)  // ctx
    case 0x6461_6572_6874: .init(.thread, 1)  // thread
    case 0x0064_6165_7268_745f: .init(.thread, 1)  // _thread
    case 0x0064_6974: .init(.threadID, 1)  // tid
    case 0x0044_4954: .init(.threadID, 1)  // TID
    case 0x6449_6461_6572_6874: .init(.threadID, 1)  // threadId
    case 0x4449_6461_6572_6874: .init(.threadID, 1)  // threadID
    case 0x4354_5574_7261_7453: .init(.time, 10)  // StartUTC
    case 0x7440: .init(.time, 9)  // @t
    case 0x0074_6e61_7473_6e69: .init(.time, 9)  // instant
    case 0x656d_6974: .init(.time, 7)  // time
    case 0x7374: .init(.time, 6)  // ts
    case 0x74: .init(.time, 5)  // t
    case 0x0065_6d69_7463_7361: .init(.time, 4)  // asctime
    case 0x656d_6974_6574_6164: .init(.time, 4)  // datetime
    case 0x7464: .init(.time, 4)  // dt
    case 0x6574_6164: .init(.time, 3)  // date
    case 0x656d_6974_5f67_6f6c: .init(.time, 2)  // log_time
    case 0x0064_4965_6361_7274: .init(.trace, 1)  // traceId
    case 0x0044_4965_6361_7274: .init(.trace, 1)  // traceID
    case 0x6469_5f65_6361_7274: .init(.trace, 1)  // trace_id
    case 0x6469_2e65_6361_7274: .init(.trace, 1)  // trace.id
    case 0x0065_6361_7274: .init(.traceObject, 1)  // trace
    case 0x6175: .init(.userAgent, 1)  // ua
    default: other
    }
  }

  private static func long(_ key: Line, _ word: UInt64) -> JSONKey {
    switch word {
    case 0x695f_6574_6f6d_6572 where key.isEqual("remote_ip"): .init(.client, 1)
    case 0x695f_746e_6569_6c63 where key.isEqual("client_ip"): .init(.client, 1)
    case 0x6441_6574_6f6d_6572 where key.isEqual("remoteAddr"): .init(.client, 1)
    case 0x6f48_746e_6569_6c43 where key.isEqual("ClientHost"): .init(.client, 1)
    case 0x615f_6574_6f6d_6572 where key.isEqual("remote_addr"): .init(.client, 1)
    case 0x612e_746e_6569_6c63 where key.isEqual("client.address"): .init(.client, 1)
    case 0x6f69_7470_6563_7865 where key.isEqual("exception"): .init(.error, 1)
    case 0x6f69_7470_6563_7865 where key.isEqual("exception.type"): .init(.errorType, 1)
    case 0x6f69_7470_6563_7865 where key.isEqual("exception_type"): .init(.errorType, 1)
    case 0x6f69_7470_6563_7865 where key.isEqual("exception.message"): .init(.errorMessage, 1)
    case 0x6f69_7470_6563_7865 where key.isEqual("exception.stacktrace"): .init(.stack, 1)
    case 0x656d_2e72_6f72_7265 where key.isEqual("error.message"): .init(.errorMessage, 1)
    case 0x656d_5f72_6f72_7265 where key.isEqual("error_message"): .init(.errorMessage, 1)
    case 0x7974_2e72_6f72_7265 where key.isEqual("error.type"): .init(.errorType, 1)
    case 0x4c49_465f_4544_4f43 where key.isEqual("CODE_FILE"): .init(.file, 1)
    case 0x6c69_662e_6564_6f63 where key.isEqual("code.filepath"): .init(.file, 1)
    case 0x6c69_662e_6564_6f63 where key.isEqual("code.file.path"): .init(.file, 1)
    case 0x4e55_465f_4544_4f43 where key.isEqual("CODE_FUNC"): .init(.function, 1)
    case 0x6e75_662e_6564_6f63 where key.isEqual("code.function"): .init(.function, 1)
    case 0x6e75_662e_6564_6f63 where key.isEqual("code.function.name"): .init(.function, 1)
    case 0x6d61_6e2e_7473_6f68 where key.isEqual("host.name"): .init(.host, 1)
    case 0x4d41_4e54_534f_485f where key.isEqual("_HOSTNAME"): .init(.host, 1)
    case 0x6576_656c_2e67_6f6c where key.isEqual("log.level"): .init(.level, 10)
    case 0x6d61_4e6c_6576_656c where key.isEqual("levelName"): .init(.level, 10)
    case 0x6d61_6e6c_6576_656c where key.isEqual("levelname"): .init(.level, 10)
    case 0x616e_5f6c_6576_656c where key.isEqual("level_name"): .init(.level, 10)
    case 0x6573_5f72_6f72_7265 where key.isEqual("error_severity"): .init(.level, 9)
    case 0x6576_656c_5f67_6f6c where key.isEqual("log_level"): .init(.level, 8)
    case 0x7974_6972_6576_6573 where key.isEqual("severityText"): .init(.level, 9)
    case 0x7974_6972_6576_6573 where key.isEqual("severity_text"): .init(.level, 9)
    case 0x7974_6972_6576_6553 where key.isEqual("SeverityText"): .init(.level, 9)
    case 0x5465_6761_7373_656d where key.isEqual("messageType"): .init(.level, 8)
    case 0x4e49_4c5f_4544_4f43 where key.isEqual("CODE_LINE"): .init(.line, 1)
    case 0x6e69_6c2e_6564_6f63 where key.isEqual("code.lineno"): .init(.line, 1)
    case 0x6e69_6c2e_6564_6f63 where key.isEqual("code.line.number"): .init(.line, 1)
    case 0x7365_6d5f_6c6c_7566 where key.isEqual("full_message"): .init(.message, 10)
    case 0x6c79_6150_7478_6574 where key.isEqual("textPayload"): .init(.message, 9)
    case 0x7365_4d74_6e65_7665 where key.isEqual("eventMessage"): .init(.message, 9)
    case 0x6c79_6150_6e6f_736a where key.isEqual("jsonPayload"): .init(.message, 8)
    case 0x656d_5f74_726f_6873 where key.isEqual("short_message"): .init(.message, 8)
    case 0x6465_7265_646e_6552 where key.isEqual("RenderedMessage"): .init(.message, 9)
    case 0x5465_6761_7373_654d where key.isEqual("MessageTemplate"): .init(.message, 6)
    case 0x4d74_7365_7571_6552 where key.isEqual("RequestMethod"): .init(.method, 1)
    case 0x7165_722e_7074_7468 where key.isEqual("http.request.method"): .init(.method, 1)
    case 0x5074_7365_7571_6552 where key.isEqual("RequestPath"): .init(.path, 1)
    case 0x5f74_7365_7571_6572 where key.isEqual("request_path"): .init(.path, 1)
    case 0x5f74_7365_7571_6572 where key.isEqual("request_method"): .init(.method, 1)
    case 0x4973_7365_636f_7270 where key.isEqual("processImagePath"): .init(.executable, 1)
    case 0x6574_7379_7362_7573 where key.isEqual("subsystem"): .init(.scope, 4)
    case 0x4973_7365_636f_7270 where key.isEqual("processId"): .init(.pid, 1)
    case 0x4973_7365_636f_7270 where key.isEqual("processID"): .init(.pid, 1)
    case 0x5f73_7365_636f_7270 where key.isEqual("process_id"): .init(.pid, 1)
    case 0x5f73_7365_636f_7270 where key.isEqual("process_name"): .init(.process, 1)
    case 0x505f_474f_4c53_5953 where key.isEqual("SYSLOG_PID"): .init(.pid, 1)
    case 0x2e73_7365_636f_7270 where key.isEqual("process.pid"): .init(.pid, 1)
    case 0x2e73_7365_636f_7270 where key.isEqual("process.name"): .init(.process, 1)
    case 0x2e73_7365_636f_7270 where key.isEqual("process.thread.id"): .init(.threadID, 1)
    case 0x2e73_7365_636f_7270 where key.isEqual("process.thread.name"): .init(.thread, 1)
    case 0x4e73_7365_636f_7270 where key.isEqual("processName"): .init(.process, 1)
    case 0x495f_474f_4c53_5953 where key.isEqual("SYSLOG_IDENTIFIER"): .init(.process, 1)
    case 0x6767_6f6c_2e67_6f6c where key.isEqual("log.logger"): .init(.scope, 9)
    case 0x614e_7265_6767_6f6c where key.isEqual("loggerName"): .init(.scope, 9)
    case 0x6e5f_7265_6767_6f6c where key.isEqual("logger_name"): .init(.scope, 9)
    case 0x4e65_6369_7672_6573 where key.isEqual("serviceName"): .init(.service, 1)
    case 0x2e65_6369_7672_6573 where key.isEqual("service.name"): .init(.service, 1)
    case 0x5f65_6369_7672_6573 where key.isEqual("service_name"): .init(.service, 1)
    case 0x6172_746b_6361_7473 where key.isEqual("stacktrace"): .init(.stack, 1)
    case 0x6f69_7470_6563_7845 where key.isEqual("Exception"): .init(.stack, 1)
    case 0x7274_5f6b_6361_7473 where key.isEqual("stack_trace"): .init(.stack, 1)
    case 0x7473_2e72_6f72_7265 where key.isEqual("error.stack_trace"): .init(.stack, 1)
    case 0x6f43_7375_7461_7473 where key.isEqual("statusCode"): .init(.status, 1)
    case 0x635f_7375_7461_7473 where key.isEqual("status_code"): .init(.status, 1)
    case 0x6573_6e6f_7073_6572 where key.isEqual("response_code"): .init(.status, 1)
    case 0x6572_7473_6e77_6f44 where key.isEqual("DownstreamStatus"): .init(.status, 1)
    case 0x7073_6552_6567_6445 where key.isEqual("EdgeResponseStatus"): .init(.status, 1)
    case 0x7365_722e_7074_7468 where key.isEqual("http.response.status_code"): .init(.status, 1)
    case 0x614e_6461_6572_6874 where key.isEqual("threadName"): .init(.thread, 1)
    case 0x6e5f_6461_6572_6874 where key.isEqual("thread_name"): .init(.thread, 1)
    case 0x6e2e_6461_6572_6874 where key.isEqual("thread.name"): .init(.thread, 1)
    case 0x695f_6461_6572_6874 where key.isEqual("thread_id"): .init(.threadID, 1)
    case 0x692e_6461_6572_6874 where key.isEqual("thread.id"): .init(.threadID, 1)
    case 0x7261_7453_6567_6445 where key.isEqual("EdgeStartTimestamp"): .init(.time, 10)
    case 0x6174_7365_6d69_7440 where key.isEqual("@timestamp"): .init(.time, 9)
    case 0x6d69_5465_6761_7473 where key.isEqual("stageTimestamp"): .init(.time, 9)
    case 0x5f45_4352_554f_535f where key.isEqual("_SOURCE_REALTIME_TIMESTAMP"): .init(.time, 9)
    case 0x6d61_7473_656d_6974 where key.isEqual("timestamp"): .init(.time, 8)
    case 0x6d61_7473_656d_6954 where key.isEqual("Timestamp"): .init(.time, 8)
    case 0x6c6c_694d_656d_6974 where key.isEqual("timeMillis"): .init(.time, 7)
    case 0x6d69_5474_6e65_7665 where key.isEqual("eventTime"): .init(.time, 8)
    case 0x6f73_695f_656d_6974 where key.isEqual("time_iso8601"): .init(.time, 8)
    case 0x4954_4c41_4552_5f5f where key.isEqual("__REALTIME_TIMESTAMP"): .init(.time, 8)
    case 0x6e65_6741_7265_7375 where key.isEqual("userAgent"): .init(.userAgent, 1)
    case 0x6567_615f_7265_7375 where key.isEqual("user_agent"): .init(.userAgent, 1)
    case 0x6567_615f_7265_7375 where key.isEqual("user_agent.original"): .init(.userAgent, 1)
    case 0x6573_755f_7074_7468 where key.isEqual("http_user_agent"): .init(.userAgent, 1)
    default: other
    }
  }
}
