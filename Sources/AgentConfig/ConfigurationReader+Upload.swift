// SPDX-License-Identifier: Apache-2.0

internal import LogModel

extension ConfigurationReader {
  /// Makes the paths of `[upload]` absolute, from the file's folder on.
  mutating func resolveUploadPaths() {
    var target = configuration.upload.target
    target.caFile = target.caFile.map(absolute)
    target.clientCertificate = target.clientCertificate.map(absolute)
    target.clientKey = target.clientKey.map(absolute)
    target.token = target.token.map(resolve)
    target.user = target.user.map(resolve)
    target.password = target.password.map(resolve)
    target.sessionToken = target.sessionToken.map(resolve)
    target.secretHeaders = target.secretHeaders.map { .init($0.name, resolve($0.source)) }
    configuration.upload.target = target
  }

  private func resolve(_ source: SecretSource) -> SecretSource {
    if case .file(let path) = source { .file(absolute(path)) } else { source }
  }
}
