// SPDX-License-Identifier: Apache-2.0

internal import LogModel

/// A form (RFC 7578) around a file: what stands before and after its bytes.
struct UploadForm {
  let contentType: String
  let prefix: [UInt8]
  let suffix: [UInt8]

  /// - Parameters:
  ///   - target: the names of the fields.
  ///   - key: makes the boundary, so that the same file gives the same form.
  ///   - name: of the file.
  init(_ target: UploadTarget, key: String, name: String) {
    let boundary = "logagent-" + key
    contentType = "multipart/form-data; boundary=" + boundary
    var text = ""
    for pair in target.fields {
      text +=
        "--\(boundary)\r\nContent-Disposition: form-data; name=\"\(Self.quoted(pair.name))\"\r\n"
      text += "\r\n\(pair.value)\r\n"
    }
    // The names that KSCrash's own sink has.
    let isKSCrash = target.method == .kscrash
    let field = isKSCrash ? "reports" : target.field
    let fileName = isKSCrash ? "reports.json" : name
    let type = isKSCrash ? "application/json" : "application/octet-stream"
    text += "--\(boundary)\r\nContent-Disposition: form-data; name=\"\(Self.quoted(field))\"; "
    text += "filename=\"\(Self.quoted(fileName))\"\r\nContent-Type: \(type)\r\n\r\n"
    prefix = Array(text.utf8)
    suffix = Array("\r\n--\(boundary)--\r\n".utf8)
  }

  /// As browsers do it: quotes and line breaks are percent-encoded.
  private static func quoted(_ name: String) -> String {
    var text = ""
    for scalar in name.unicodeScalars {
      switch scalar {
      case "\"": text += "%22"
      case "\r": text += "%0D"
      case "\n": text += "%0A"
      default: text.unicodeScalars.append(scalar)
      }
    }
    return text
  }
}
