// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import BundleUpload

@Suite struct AddressTests {
  @Test func anAddressWithAUserIsRefusedWithoutQuotingIt() {
    let error = #expect(throws: AddressError.self) { try Address("https://me:secret@host/x") }
    #expect(error?.description.contains("secret") == false)
  }

  @Test func onlyWhatEndsInASlashTakesTheFilesName() throws {
    #expect(try Address("https://h/in/?a=1").naming("a b.gz").url == "https://h/in/a%20b.gz?a=1")
    #expect(try Address("https://h/in").naming("b.gz").url == "https://h/in")
  }

  @Test func whatIsShownHasNoSignature() throws {
    #expect(try Address("https://h:444/in?sig=x").shown == "https://h:444/in")
  }

  @Test func originsAreComparedBySchemeHostAndPort() throws {
    let one = try Address("https://H/a")
    #expect(one.isSameOrigin(as: try Address("https://h:443/b")))
    #expect(!one.isSameOrigin(as: try Address("http://h/b")))
    #expect(!one.isSameOrigin(as: try Address("https://h2/b")))
  }
}
