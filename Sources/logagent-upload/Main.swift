// SPDX-License-Identifier: Apache-2.0

internal import BundleUpload
internal import Glibc

@main enum Main {
  static func main() { exit(UploadProgram.main()) }
}
