// SPDX-License-Identifier: Apache-2.0

internal import CCurl
internal import FileIO
internal import LogModel

/// Speaks HTTP through libcurl. One connection is kept between the requests of a client.
///
/// Certificates are always checked; there is no way to leave that out.
final class HTTPClient {
  private let handle: UnsafeMutableRawPointer
  private let target: UploadTarget
  private let credentials: Credentials
  /// Where credentials may go.
  private let origin: Address
  private let userAgent: String
  private let shouldStop: () -> Bool
  /// Is told the bytes of a body that have gone out.
  var progress: (Int64) -> Void = { _ in }

  /// - Throws: `TransferError` when libcurl can't be used.
  init(
    _ target: UploadTarget, _ credentials: Credentials, origin: Address, userAgent: String,
    shouldStop: @escaping () -> Bool
  ) throws(TransferError) {
    guard let handle = curl_easy_init() else {
      throw TransferError(.configuration, "libcurl can't be used")
    }
    self.handle = handle
    self.target = target
    self.credentials = credentials
    self.origin = origin
    self.userAgent = userAgent
    self.shouldStop = shouldStop
  }

  deinit { curl_easy_cleanup(handle) }

  /// Sends a request, follows redirects, and returns the whole answer.
  ///
  /// A redirect keeps method and body, but for 303, which asks to look elsewhere. None leads from
  /// https to http, and credentials stay with the server they are for.
  ///
  /// - Throws: `TransferError`.
  func send(_ request: HTTPRequest) throws(TransferError) -> HTTPResponse {
    var request = request
    for _ in 0..<6 {
      let response = try exchange(request)
      guard [301, 302, 303, 307, 308].contains(response.status),
        let location = response.header("location")
      else { return response }
      let next: Address
      do throws(AddressError) {
        next = try Address(location, relativeTo: request.address)
      } catch {
        throw TransferError(
          .configuration, "\(request.address.shown) redirects to what is no http address")
      }
      if request.address.scheme == "https", next.scheme != "https" {
        throw TransferError(
          .configuration,
          "\(request.address.shown) redirects to \(next.shown), without TLS: refused"
        )
      }
      request.address = next
      if response.status == 303 {
        request.method = "GET"
        request.body = nil
      }
    }
    throw TransferError(.configuration, "\(origin.shown) redirects without end")
  }

  private func exchange(_ request: HTTPRequest) throws(TransferError) -> HTTPResponse {
    let exchange = HTTPExchange(request.body, shouldStop, progress)
    curl_easy_reset(handle)
    set(CURLOPT_URL, request.address.url)
    set(CURLOPT_PROTOCOLS_STR, "http,https")
    set(CURLOPT_USERAGENT, userAgent)
    set(CURLOPT_FOLLOWLOCATION, 0)
    set(CURLOPT_NOSIGNAL, 1)
    set(CURLOPT_SSL_VERIFYPEER, 1)
    set(CURLOPT_SSL_VERIFYHOST, 2)
    set(CURLOPT_SSLVERSION, CURL_SSLVERSION_TLSv1_2)
    set(CURLOPT_CONNECTTIMEOUT, Int(target.connectSeconds))
    set(CURLOPT_LOW_SPEED_LIMIT, 1)
    set(CURLOPT_LOW_SPEED_TIME, Int(target.stallSeconds))
    if let file = target.caFile { set(CURLOPT_CAINFO, file) }
    if let proxy = target.proxy { set(CURLOPT_PROXY, proxy) }
    if target.rateLimit > 0 {
      la_curl_off(handle, CURLOPT_MAX_SEND_SPEED_LARGE, curl_off_t(target.rateLimit))
    }
    let isOwn = request.address.isSameOrigin(as: origin)
    let headers = makeHeaders(request, isOwn: isOwn)
    defer { curl_slist_free_all(headers) }
    la_curl_list(handle, CURLOPT_HTTPHEADER, headers)
    if isOwn { setCredentials() }
    setBody(request)
    return try withExtendedLifetime(exchange) { () throws(TransferError) in
      try run(exchange, request)
    }
  }

  private func setCredentials() {
    if let file = target.clientCertificate { set(CURLOPT_SSLCERT, file) }
    if let file = target.clientKey { set(CURLOPT_SSLKEY, file) }
    if let user = credentials.user {
      set(CURLOPT_USERNAME, user)
      set(CURLOPT_PASSWORD, credentials.password ?? "")
      if target.method == .s3 { set(CURLOPT_AWS_SIGV4, "aws:amz:\(target.region):s3") }
    }
  }

  private func makeHeaders(
    _ request: HTTPRequest, isOwn: Bool
  ) -> UnsafeMutablePointer<curl_slist>? {
    var pairs = request.headers + target.headers
    if isOwn {
      pairs += credentials.headers
      if let token = credentials.token { pairs.append(.init("Authorization", "Bearer " + token)) }
      if let token = credentials.sessionToken {
        pairs.append(.init("x-amz-security-token", token))
      }
    }
    var list: UnsafeMutablePointer<curl_slist>?
    for pair in pairs { list = curl_slist_append(list, "\(pair.name): \(pair.value)") }
    return list
  }

  private func setBody(_ request: HTTPRequest) {
    guard let body = request.body else {
      if request.method == "HEAD" { set(CURLOPT_NOBODY, 1) }
      return
    }
    set(CURLOPT_UPLOAD, 1)
    la_curl_off(handle, CURLOPT_INFILESIZE_LARGE, curl_off_t(body.length))
    if request.method != "PUT" { set(CURLOPT_CUSTOMREQUEST, request.method) }
  }

  private func run(
    _ exchange: HTTPExchange, _ request: HTTPRequest
  ) throws(TransferError) -> HTTPResponse {
    exchange.attach(to: handle)
    let errors = UnsafeMutablePointer<CChar>.allocate(capacity: Int(CURL_ERROR_SIZE))
    defer { errors.deallocate() }
    errors.pointee = 0
    la_curl_pointer(handle, CURLOPT_ERRORBUFFER, errors)
    let code = curl_easy_perform(handle)
    la_curl_pointer(handle, CURLOPT_ERRORBUFFER, nil)
    let sent = Int64(la_curl_get_off(handle, CURLINFO_SIZE_UPLOAD_T))
    guard code == CURLE_OK else {
      let text =
        errors.pointee == 0 ? String(cString: curl_easy_strerror(code)) : String(cString: errors)
      throw failure(code, text, exchange, request, sent)
    }
    var response = exchange.response
    response.status = la_curl_get_long(handle, CURLINFO_RESPONSE_CODE)
    response.sentBytes = sent
    let wait = Int64(la_curl_get_off(handle, CURLINFO_RETRY_AFTER))
    if response.header("retry-after") != nil { response.retryAfter = wait }
    // A server that is pleased before it has read everything has not got everything.
    if response.isSuccess, let body = request.body, sent < body.length {
      throw TransferError(
        .connection,
        "\(request.address.shown): answered \(response.status) after \(sent) of \(body.length) bytes",
        sentBytes: sent)
    }
    return response
  }

  private func failure(
    _ code: CURLcode, _ text: String, _ exchange: HTTPExchange, _ request: HTTPRequest,
    _ sent: Int64
  ) -> TransferError {
    let place = "\(request.address.host):\(request.address.port)"
    if let error = exchange.readError { return TransferError(.local, error.description) }
    switch code {
    case CURLE_ABORTED_BY_CALLBACK:
      return TransferError(.interrupted, "interrupted", sentBytes: sent)
    case CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_ISSUER_ERROR, CURLE_SSL_PINNEDPUBKEYNOTMATCH,
      CURLE_SSL_INVALIDCERTSTATUS:
      return TransferError(
        .certificate, "\(place): TLS: the server's certificate is not accepted: \(text)")
    case CURLE_SSL_CACERT_BADFILE, CURLE_SSL_CERTPROBLEM, CURLE_SSL_ENGINE_NOTFOUND,
      CURLE_UNSUPPORTED_PROTOCOL, CURLE_URL_MALFORMAT, CURLE_NOT_BUILT_IN, CURLE_OUT_OF_MEMORY:
      return TransferError(.configuration, "\(place): \(text)")
    default:
      return TransferError(.connection, "\(place): \(text)", sentBytes: sent)
    }
  }

  private func set(_ option: CURLoption, _ value: String) {
    la_curl_string(handle, option, value)
  }

  private func set(_ option: CURLoption, _ value: Int) { la_curl_long(handle, option, value) }
}
