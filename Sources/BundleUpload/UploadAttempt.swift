// SPDX-License-Identifier: Apache-2.0

internal import FileIO
internal import LogModel

/// One attempt to send an item, by whatever method its target has.
///
/// The state says before the first byte goes out that no answer has come, so that the next attempt
/// after a kill asks the server what it has instead of trusting a count of its own.
struct UploadAttempt: ~Copyable {
  let target: UploadTarget
  let client: HTTPClient
  /// Of `target.url`.
  let address: Address
  /// The body: the bundle, or its compressed form.
  let file: FileDescriptor
  let size: Int64
  let isCompressed: Bool
  /// Bytes that went out, for the limit of a day.
  var sentBytes: Int64 = 0

  /// Sends it.
  ///
  /// - Throws: `FileError` when the state can't be kept.
  mutating func run(_ item: inout OutboxItem) throws(FileError) -> UploadOutcome {
    do throws(AttemptError) {
      switch target.method {
      case .put, .s3: return try sendWhole(&item, method: "PUT")
      case .post, .kscrash: return try sendForm(&item)
      case .putRange: return try sendRanges(&item)
      case .tus: return try sendTus(&item)
      }
    } catch {
      switch error {
      case .transfer(let error): return UploadOutcome(error)
      case .state(let error): throw error
      }
    }
  }

  /// The headers that every request of an item has.
  func headers(_ item: borrowing OutboxItem) -> [UploadTarget.Pair] {
    [.init("Idempotency-Key", item.key)]
  }

  /// The headers of a request with the file as its body.
  func bodyHeaders(_ item: borrowing OutboxItem) -> [UploadTarget.Pair] {
    var headers = headers(item)
    let isPacked = item.state.name.hasSuffix(".gz") || item.state.name.hasSuffix(".tgz")
    let type = isPacked ? "application/gzip" : "application/octet-stream"
    if !target.headers.contains(where: { $0.name.lowercased() == "content-type" }) {
      headers.append(.init("Content-Type", type))
    }
    if isCompressed { headers.append(.init("Content-Encoding", "gzip")) }
    if target.method == .s3 {
      headers.append(.init("x-amz-content-sha256", item.state.sha256))
    }
    return headers
  }

  /// The file from `offset` to its end.
  func body(from offset: Int64 = 0) -> HTTPBody {
    HTTPBody(file: file.number, fileOffset: offset, fileLength: size - offset)
  }

  /// The file's own address.
  func named(_ item: borrowing OutboxItem) throws(AttemptError) -> Address {
    do throws(AddressError) {
      return try address.naming(item.state.name)
    } catch {
      throw .transfer(TransferError(.configuration, error.description))
    }
  }

  /// Sends a request with (a part of) the file as its body.
  mutating func send(
    _ request: HTTPRequest, _ item: inout OutboxItem
  ) throws(AttemptError) -> HTTPResponse {
    let wasUnanswered = item.state.isUnanswered
    item.state.isUnanswered = true
    try save(item)
    do throws(TransferError) {
      let response = try client.send(request)
      sentBytes += response.sentBytes
      item.state.isUnanswered = false
      return response
    } catch {
      sentBytes += error.sentBytes
      // What never went out needs no question.
      if error.sentBytes == 0 { item.state.isUnanswered = wasUnanswered }
      throw .transfer(error)
    }
  }

  /// Sends a request without the file.
  func ask(_ request: HTTPRequest) throws(AttemptError) -> HTTPResponse {
    do throws(TransferError) { return try client.send(request) } catch { throw .transfer(error) }
  }

  func save(_ item: borrowing OutboxItem) throws(AttemptError) {
    do throws(FileError) { try item.save() } catch { throw .state(error) }
  }

  private mutating func sendWhole(
    _ item: inout OutboxItem, method: String
  ) throws(AttemptError) -> UploadOutcome {
    let place = try named(item)
    let request = HTTPRequest(
      method: method, address: place, headers: bodyHeaders(item), body: body())
    return UploadOutcome(try send(request, &item), from: place)
  }

  private mutating func sendForm(_ item: inout OutboxItem) throws(AttemptError) -> UploadOutcome {
    let form = UploadForm(target, key: item.key, name: item.state.name)
    var headers = headers(item) + [.init("Content-Type", form.contentType)]
    var body = body()
    if isCompressed {
      headers.append(.init("Content-Encoding", "gzip"))
    } else {
      body.prefix = form.prefix
      body.suffix = form.suffix
    }
    let request = HTTPRequest(method: "POST", address: address, headers: headers, body: body)
    let response = try send(request, &item)
    if isCompressed, response.status == 415 {
      item.state.isGzipRefused = true
      return .later("\(address.shown) takes no compressed form; it is sent plain now", after: nil)
    }
    return UploadOutcome(response, from: address)
  }
}

/// Why an attempt ended before an answer.
enum AttemptError: Error {
  case transfer(TransferError)
  /// The state can't be kept.
  case state(FileError)
}
